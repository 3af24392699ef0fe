module lab.test/workloads

go 1.26.0

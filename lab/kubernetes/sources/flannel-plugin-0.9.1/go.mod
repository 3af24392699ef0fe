module lab.test/programs

go 1.14

require github.com/containernetworking/plugins v0.9.1

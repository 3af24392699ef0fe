// The lab's stand-in for a workload: answers every HTTP request with the name of its host, which is its pod.
// `echo get URL` asks one and prints the answer: busybox beside it cannot look up names for its own wget.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func get(url string) {
	client := http.Client{Timeout: 5 * time.Second}
	answer, err := client.Get(url)
	must(err)
	_, err = io.Copy(os.Stdout, answer.Body)
	must(err)
	if answer.StatusCode != http.StatusOK {
		must(fmt.Errorf("%s answers %s", url, answer.Status))
	}
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "get" {
		get(os.Args[2])
		return
	}
	name, err := os.Hostname()
	must(err)
	must(http.ListenAndServe(":8080", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, name)
	})))
}

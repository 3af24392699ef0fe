// The lab's stand-in for crictl, whose module the Go proxy refuses and which no Debian package brings: the commands and
// options that playbooks use, over CRI v1.
// It refuses what it does not know, so that nothing passes here that the real one would understand otherwise.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	pb "k8s.io/cri-api/pkg/apis/runtime/v1"
	"sigs.k8s.io/yaml"
)

type values map[string]string

// flags splits the words after a command into options and arguments; takesValue names the options that have one.
func flags(words []string, takesValue, alone map[string]string) (values, []string) {
	found := values{}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if !strings.HasPrefix(word, "-") || word == "-" {
			return found, words[i:]
		}
		if word == "--" {
			return found, words[i+1:]
		}
		parts := strings.SplitN(strings.TrimLeft(word, "-"), "=", 2)
		if name, ok := alone[parts[0]]; ok && len(parts) == 1 {
			found[name] = "true"
		} else if name, ok := takesValue[parts[0]]; ok {
			if len(parts) == 1 {
				i++
				if i == len(words) {
					fail("flag needs an argument: %s", word)
				}
				parts = append(parts, words[i])
			}
			found[name] = parts[1]
		} else {
			fail("flag provided but not defined: %s", word)
		}
	}
	return found, nil
}

func fail(format string, words ...interface{}) {
	fmt.Fprintf(os.Stderr, "FATA[0000] "+format+"\n", words...)
	os.Exit(1)
}

func must(err error) {
	if err != nil {
		fail("%v", err)
	}
}

// text is a message as the real one prints it: names in camel case, states by name, long numbers as text.
func text(message proto.Message) string {
	found, err := protojson.MarshalOptions{EmitDefaultValues: true, Multiline: true, Indent: "  "}.Marshal(message)
	must(err)
	return string(found)
}

func show(message proto.Message) {
	fmt.Println(text(message))
}

func matches(pattern, text string) bool {
	ok, err := regexp.MatchString(pattern, text)
	must(err)
	return ok
}

func label(text string) map[string]string {
	if text == "" {
		return nil
	}
	pair := strings.SplitN(text, "=", 2)
	if len(pair) != 2 {
		fail("incorrectly specified label: %s", text)
	}
	return map[string]string{pair[0]: pair[1]}
}

// endpoint is where containerd listens: told by option, by environment, by /etc/crictl.yaml, or where it always does.
func endpoint(told values) string {
	for _, known := range []string{told["runtime-endpoint"], told["image-endpoint"], os.Getenv("CONTAINER_RUNTIME_ENDPOINT")} {
		if known != "" {
			return known
		}
	}
	var file struct {
		Runtime string `json:"runtime-endpoint"`
	}
	if text, err := os.ReadFile("/etc/crictl.yaml"); err == nil && yaml.Unmarshal(text, &file) == nil && file.Runtime != "" {
		return file.Runtime
	}
	return "unix:///run/containerd/containerd.sock"
}

type client struct {
	ctx     context.Context
	runtime pb.RuntimeServiceClient
	images  pb.ImageServiceClient
}

func connect(socket string) client {
	ctx := context.Background()
	dialing, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	connection, err := grpc.DialContext(dialing, strings.TrimPrefix(socket, "unix://"), grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithBlock(),
		grpc.FailOnNonTempDialError(true), grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(16<<20)),
		grpc.WithContextDialer(func(c context.Context, path string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(c, "unix", path)
		}))
	if err != nil {
		fail("connect: connect endpoint '%s': %v", socket, err)
	}
	return client{ctx, pb.NewRuntimeServiceClient(connection), pb.NewImageServiceClient(connection)}
}

var listing = map[string]string{"a": "all", "all": "all", "q": "quiet", "quiet": "quiet", "no-trunc": "no-trunc", "v": "verbose", "verbose": "verbose", "l": "latest", "latest": "latest"}
var filters = map[string]string{"name": "name", "namespace": "namespace", "state": "state", "s": "state", "label": "label", "pod": "pod", "p": "pod", "id": "id", "o": "output", "output": "output"}

func (c client) pods(words []string) {
	told, _ := flags(words, filters, listing)
	filter := &pb.PodSandboxFilter{Id: told["id"], LabelSelector: label(told["label"])}
	if state := told["state"]; state != "" {
		filter.State = &pb.PodSandboxStateValue{State: pb.PodSandboxState(pb.PodSandboxState_value["SANDBOX_"+strings.ToUpper(state)])}
	}
	answer, err := c.runtime.ListPodSandbox(c.ctx, &pb.ListPodSandboxRequest{Filter: filter})
	must(err)
	var kept []*pb.PodSandbox
	for _, pod := range answer.Items {
		if matches(told["name"], pod.Metadata.Name) && matches(told["namespace"], pod.Metadata.Namespace) {
			kept = append(kept, pod)
		}
	}
	if told["output"] == "json" {
		show(&pb.ListPodSandboxResponse{Items: kept})
		return
	}
	for _, pod := range kept {
		if told["quiet"] != "" {
			fmt.Println(pod.Id)
		} else {
			fmt.Printf("%.13s  %-10s %-45s %s\n", pod.Id, strings.TrimPrefix(pod.State.String(), "SANDBOX_"), pod.Metadata.Name, pod.Metadata.Namespace)
		}
	}
}

func (c client) containers(words []string) {
	told, _ := flags(words, filters, listing)
	filter := &pb.ContainerFilter{Id: told["id"], PodSandboxId: told["pod"], LabelSelector: label(told["label"])}
	state := told["state"]
	if state == "" && told["all"] == "" {
		state = "running"
	}
	if state != "" {
		filter.State = &pb.ContainerStateValue{State: pb.ContainerState(pb.ContainerState_value["CONTAINER_"+strings.ToUpper(state)])}
	}
	answer, err := c.runtime.ListContainers(c.ctx, &pb.ListContainersRequest{Filter: filter})
	must(err)
	var kept []*pb.Container
	for _, container := range answer.Containers {
		if matches(told["name"], container.Metadata.Name) {
			kept = append(kept, container)
		}
	}
	if told["output"] == "json" {
		show(&pb.ListContainersResponse{Containers: kept})
		return
	}
	for _, container := range kept {
		if told["quiet"] != "" {
			fmt.Println(container.Id)
		} else {
			fmt.Printf("%.13s  %-10s %-28s %d %s\n", container.Id, strings.TrimPrefix(container.State.String(), "CONTAINER_"),
				container.Metadata.Name, container.Metadata.Attempt, container.Labels["io.kubernetes.pod.name"])
		}
	}
}

func (c client) list(words []string) {
	told, _ := flags(words, filters, listing)
	answer, err := c.images.ListImages(c.ctx, &pb.ListImagesRequest{})
	must(err)
	if told["output"] == "json" {
		show(answer)
		return
	}
	for _, image := range answer.Images {
		if told["quiet"] != "" {
			fmt.Println(image.Id)
		} else {
			fmt.Printf("%-60s %.20s %d\n", strings.Join(image.RepoTags, ","), image.Id, image.Size)
		}
	}
}

func (c client) exec(words []string) {
	told, words := flags(words, map[string]string{"timeout": "timeout"}, map[string]string{"s": "sync", "sync": "sync"})
	if told["sync"] == "" {
		fail("the lab's crictl executes with --sync only")
	}
	if len(words) < 2 {
		fail("a container and a command are needed")
	}
	answer, err := c.runtime.ExecSync(c.ctx, &pb.ExecSyncRequest{ContainerId: c.whole(words[0]), Cmd: words[1:]})
	must(err)
	os.Stdout.Write(answer.Stdout)
	os.Stderr.Write(answer.Stderr)
	if answer.ExitCode != 0 {
		fail("execing command in container synchronously: command exited with %d", answer.ExitCode)
	}
}

// whole is the identity that a person may have shortened.
func (c client) whole(id string) string {
	answer, err := c.runtime.ListContainers(c.ctx, &pb.ListContainersRequest{})
	must(err)
	for _, container := range answer.Containers {
		if strings.HasPrefix(container.Id, id) {
			return container.Id
		}
	}
	return id
}

func (c client) logs(words []string) {
	told, words := flags(words, map[string]string{"tail": "tail"}, nil)
	answer, err := c.runtime.ContainerStatus(c.ctx, &pb.ContainerStatusRequest{ContainerId: c.whole(words[0])})
	must(err)
	text, err := os.ReadFile(answer.Status.LogPath)
	must(err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	var count int
	if n, _ := fmt.Sscan(told["tail"], &count); n == 1 && count < len(lines) {
		lines = lines[len(lines)-count:]
	}
	for _, line := range lines {
		if parts := strings.SplitN(line, " ", 4); len(parts) == 4 {
			fmt.Println(parts[3])
		}
	}
}

// each applies a request to every name that follows a command.
func each(words []string, alone map[string]string, request func(string) error) {
	_, names := flags(words, map[string]string{"t": "timeout", "timeout": "timeout", "o": "output", "output": "output"}, alone)
	if len(names) == 0 {
		fail("ID cannot be empty")
	}
	for _, name := range names {
		must(request(name))
	}
}

func (c client) image(name string) error {
	answer, err := c.images.ImageStatus(c.ctx, &pb.ImageStatusRequest{Image: &pb.ImageSpec{Image: name}})
	if err != nil {
		return err
	}
	if answer.Image == nil {
		return fmt.Errorf("no such image %q present", name)
	}
	fmt.Printf("{\"status\": %s}\n", text(answer.Image))
	return nil
}

func (c client) inspect(name string) error {
	answer, err := c.runtime.ContainerStatus(c.ctx, &pb.ContainerStatusRequest{ContainerId: c.whole(name), Verbose: true})
	if err == nil {
		show(answer)
	}
	return err
}

func main() {
	where := map[string]string{"r": "runtime-endpoint", "runtime-endpoint": "runtime-endpoint", "i": "image-endpoint", "image-endpoint": "image-endpoint", "t": "timeout", "timeout": "timeout", "c": "config", "config": "config"}
	told, words := flags(os.Args[1:], where, map[string]string{"D": "debug", "debug": "debug", "v": "version", "version": "version"})
	if told["version"] != "" {
		fmt.Println("crictl version v1.37.0-lab")
		return
	}
	if len(words) == 0 {
		fail("usage: crictl [-r SOCKET] info|version|pods|ps|images|inspect|inspecti|exec|logs|pull|stop|rm|stopp|rmp|rmi")
	}
	c, command, rest := connect(endpoint(told)), words[0], words[1:]
	force := map[string]string{"f": "force", "force": "force", "q": "quiet", "quiet": "quiet"}
	switch command {
	case "version":
		v, err := c.runtime.Version(c.ctx, &pb.VersionRequest{})
		must(err)
		fmt.Printf("Version:  %s\nRuntimeName:  %s\nRuntimeVersion:  %s\nRuntimeApiVersion:  %s\n", v.Version, v.RuntimeName, v.RuntimeVersion, v.RuntimeApiVersion)
	case "info":
		v, err := c.runtime.Status(c.ctx, &pb.StatusRequest{Verbose: true})
		must(err)
		show(v)
	case "pods":
		c.pods(rest)
	case "ps":
		c.containers(rest)
	case "images", "image", "img":
		c.list(rest)
	case "exec":
		c.exec(rest)
	case "logs":
		c.logs(rest)
	case "inspect":
		each(rest, force, c.inspect)
	case "inspecti":
		each(rest, force, c.image)
	case "pull":
		each(rest, force, func(name string) error {
			v, err := c.images.PullImage(c.ctx, &pb.PullImageRequest{Image: &pb.ImageSpec{Image: name}})
			if err == nil {
				fmt.Println("Image is up to date for", v.ImageRef)
			}
			return err
		})
	case "stop":
		each(rest, force, func(id string) error {
			_, err := c.runtime.StopContainer(c.ctx, &pb.StopContainerRequest{ContainerId: c.whole(id)})
			return err
		})
	case "rm":
		each(rest, force, func(id string) error {
			_, err := c.runtime.RemoveContainer(c.ctx, &pb.RemoveContainerRequest{ContainerId: c.whole(id)})
			return err
		})
	case "stopp":
		each(rest, force, func(id string) error {
			_, err := c.runtime.StopPodSandbox(c.ctx, &pb.StopPodSandboxRequest{PodSandboxId: id})
			return err
		})
	case "rmp":
		each(rest, force, func(id string) error {
			_, err := c.runtime.RemovePodSandbox(c.ctx, &pb.RemovePodSandboxRequest{PodSandboxId: id})
			return err
		})
	case "rmi":
		each(rest, force, func(name string) error {
			_, err := c.images.RemoveImage(c.ctx, &pb.RemoveImageRequest{Image: &pb.ImageSpec{Image: name}})
			return err
		})
	default:
		fail("no help topic for '%s'", command)
	}
}

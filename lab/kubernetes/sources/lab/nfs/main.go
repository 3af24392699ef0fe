// The lab's stand-in for a pod that mounts an NFS volume, which the kernel below a lab host cannot: speaks NFS 4.0 itself,
// as nobody, to the server and folder of the environment. `nfs write NAME TEXT` puts a text at the beginning of a file
// and `nfs read NAME` prints one.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

const nobody = 65534

// Numbers of operations in RFC 7530.
const (
	closeFile        = 4
	getHandle        = 10
	lookUp           = 15
	openFile         = 18
	confirmOpen      = 20
	putHandle        = 22
	putRoot          = 24
	readFile         = 25
	setClient        = 35
	confirmClient    = 36
	writeFile        = 38
	needsConfirm     = 2
	writtenForGood   = 2
	readAndWrite     = 3
	createIfMissing  = 1
	statusGrace      = 10013
	secondsToRecover = 60
)

type failure struct{ operation, status uint32 }

func (f failure) Error() string { return fmt.Sprintf("operation %d: status %d", f.operation, f.status) }

// Values as XDR writes them.
type words struct{ bytes.Buffer }

func (w *words) number(values ...uint32) *words {
	for _, value := range values {
		_ = binary.Write(w, binary.BigEndian, value)
	}
	return w
}

func (w *words) raw(data []byte) *words {
	w.Write(data)
	return w
}

func (w *words) text(data []byte) *words {
	w.number(uint32(len(data))).Write(data)
	w.Write(make([]byte, (4-len(data)%4)%4))
	return w
}

type answer struct{ *bytes.Reader }

func (a answer) number() uint32 {
	var value uint32
	must(binary.Read(a, binary.BigEndian, &value))
	return value
}

func (a answer) raw(count int) []byte {
	data := make([]byte, count)
	_, err := io.ReadFull(a, data)
	must(err)
	return data
}

func (a answer) text() []byte {
	data := a.raw(int(a.number()))
	a.raw((4 - len(data)%4) % 4)
	return data
}

type server struct {
	connection net.Conn
	calls      uint32
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// One compound; what comes back begins with the results of its operations.
func (s *server) compound(operations ...*words) answer {
	s.calls++
	credentials := new(words).number(0).text([]byte("pod")).number(nobody, nobody, 0)
	call := new(words).number(s.calls, 0, 2, 100003, 4, 1, 1).text(credentials.Bytes()).number(0, 0)
	call.text(nil).number(0, uint32(len(operations)))
	for _, operation := range operations {
		call.raw(operation.Bytes())
	}
	record := new(words).number(0x80000000 | uint32(call.Len())).raw(call.Bytes())
	_, err := s.connection.Write(record.Bytes())
	must(err)
	reply := answer{bytes.NewReader(s.record())}
	reply.raw(12)
	reply.number()
	reply.text()
	if accepted := reply.number(); accepted != 0 {
		must(fmt.Errorf("the call is refused: %d", accepted))
	}
	reply.number()
	reply.text()
	reply.number()
	return reply
}

func (s *server) record() []byte {
	var data []byte
	for {
		header := make([]byte, 4)
		_, err := io.ReadFull(s.connection, header)
		must(err)
		length := binary.BigEndian.Uint32(header)
		part := make([]byte, length&0x7fffffff)
		_, err = io.ReadFull(s.connection, part)
		must(err)
		data = append(data, part...)
		if length&0x80000000 != 0 {
			return data
		}
	}
}

// The result of the next operation; what it holds comes next.
func (a answer) result() error {
	if operation, status := a.number(), a.number(); status != 0 {
		return failure{operation, status}
	}
	return nil
}

func operation(number uint32) *words { return new(words).number(number) }

// Operations that lead to a folder, and how many they are.
func way(path string) []*words {
	steps := []*words{operation(putRoot)}
	for _, name := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' }) {
		steps = append(steps, operation(lookUp).text([]byte(name)))
	}
	return steps
}

func (a answer) skip(count int) error {
	for ; count > 0; count-- {
		if err := a.result(); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) client() (id []byte, err error) {
	own := operation(setClient).raw([]byte(fmt.Sprintf("%08x", uint32(time.Now().UnixNano()))))
	own.text([]byte(fmt.Sprintf("pod %s %d", s.connection.LocalAddr(), os.Getpid())))
	own.number(0x40000000).text([]byte("tcp")).text([]byte("0.0.0.0.0.0")).number(0)
	reply := s.compound(own)
	if err = reply.result(); err != nil {
		return nil, err
	}
	id, verifier := reply.raw(8), reply.raw(8)
	return id, s.compound(operation(confirmClient).raw(id).raw(verifier)).result()
}

func (s *server) write(path, name string, data []byte) error {
	id, err := s.client()
	if err != nil {
		return err
	}
	open := operation(openFile).number(0, readAndWrite, 0).raw(id).text([]byte("pod"))
	// No attributes of its own, by name in the folder before it.
	open.number(createIfMissing, 0, 0).text(nil).number(0).text([]byte(name))
	steps := append(way(path), open, operation(getHandle))
	reply := s.compound(steps...)
	if err = reply.skip(len(steps) - 1); err != nil {
		return err
	}
	state := reply.raw(16)
	reply.raw(20)
	flags := reply.number()
	reply.raw(4 * int(reply.number()))
	if kind := reply.number(); kind != 0 {
		return fmt.Errorf("a delegation nobody asked for: %d", kind)
	}
	if err = reply.result(); err != nil {
		return err
	}
	handle := operation(putHandle).text(reply.text())
	if flags&needsConfirm != 0 {
		reply = s.compound(handle, operation(confirmOpen).raw(state).number(1))
		if err = reply.skip(2); err != nil {
			return err
		}
		state = reply.raw(16)
	}
	reply = s.compound(handle, operation(writeFile).raw(state).number(0, 0, writtenForGood).text(data))
	if err = reply.skip(2); err != nil {
		return err
	}
	return s.compound(handle, operation(closeFile).number(2).raw(state)).skip(2)
}

// Without an open: what is read once needs no state.
func (s *server) read(path, name string) ([]byte, error) {
	steps := append(way(path), operation(lookUp).text([]byte(name)), operation(readFile).raw(make([]byte, 16)).number(0, 0, 65536))
	reply := s.compound(steps...)
	if err := reply.skip(len(steps)); err != nil {
		return nil, err
	}
	reply.number()
	return reply.text(), nil
}

// Servers take nobody seriously whose port anybody could have.
func connect(address string) *server {
	var err error
	for port := 1023; port > 600; port-- {
		dialer := net.Dialer{Timeout: 5 * time.Second, LocalAddr: &net.TCPAddr{Port: port}}
		connection, failed := dialer.Dial("tcp", net.JoinHostPort(address, "2049"))
		if err = failed; err == nil {
			must(connection.SetDeadline(time.Now().Add(20 * time.Second)))
			return &server{connection: connection}
		}
		if !strings.Contains(err.Error(), "in use") && !strings.Contains(err.Error(), "cannot assign") {
			break
		}
	}
	must(err)
	return nil
}

func main() {
	address, path := os.Getenv("NFS_SERVER"), os.Getenv("NFS_PATH")
	end := time.Now().Add(secondsToRecover * time.Second)
	for {
		var data []byte
		var err error
		switch {
		case len(os.Args) == 4 && os.Args[1] == "write":
			err = connect(address).write(path, os.Args[2], []byte(os.Args[3]))
		case len(os.Args) == 3 && os.Args[1] == "read":
			data, err = connect(address).read(path, os.Args[2])
		default:
			err = fmt.Errorf("nfs write NAME TEXT | nfs read NAME")
		}
		if failed, ok := err.(failure); ok && failed.status == statusGrace && time.Now().Before(end) {
			time.Sleep(time.Second)
			continue
		}
		must(err)
		fmt.Print(string(data))
		return
	}
}

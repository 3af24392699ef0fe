// Package common takes the place of Tencent Cloud's module of that name, which the Go module proxy refuses: just the
// names that flannel's backend tencent-vpc uses. That backend is lost with it, and says so; no other one calls it.
package common

func StringPtr(value string) *string { return &value }

func BoolPtr(value bool) *bool { return &value }

func StringPtrs(values []string) []*string {
	pointers := make([]*string, len(values))
	for index := range values {
		pointers[index] = &values[index]
	}
	return pointers
}

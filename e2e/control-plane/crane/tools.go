//go:build tools

// Package tools pins the crane with which the e2e suites read and push the controller's image.
package tools

import (
	_ "github.com/google/go-containerregistry/cmd/crane"
)

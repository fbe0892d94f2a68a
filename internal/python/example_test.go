package python_test

import (
	"fmt"

	"github.com/fwgo/fwgo/internal/python"
)

func ExampleInt() {
	fmt.Println(python.Int(" +1_000 "))
	fmt.Println(python.Int("5.0"))
	// Output:
	// 1000 true
	//  false
}

func ExampleLiteral() {
	list, err := python.Literal(`['a', "it's", 0x1F, {'k': (1.50, None)},]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range list.Items {
		fmt.Println(item.Kind, python.Str(item))
	}
	// Output:
	// str a
	// str it's
	// int 31
	// dict {'k': (1.5, None)}
}

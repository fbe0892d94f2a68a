package draft

import "fmt"

// CatalogCode says what is wrong with a change of a catalog.
type CatalogCode string

// What can be wrong (WD-39, WD-43).
const (
	CatalogInvalidTool   CatalogCode = "invalid_tool"
	CatalogInvalidSchema CatalogCode = "invalid_schema"
	CatalogInvalidModule CatalogCode = "invalid_module"
	CatalogDuplicateTool CatalogCode = "duplicate_tool"
	CatalogUnknownTool   CatalogCode = "unknown_tool"
	CatalogToolInUse     CatalogCode = "tool_in_use" // a module needs it
	CatalogTooManyTools  CatalogCode = "too_many_tools"
	CatalogTooLarge      CatalogCode = "catalog_too_large"
	CatalogSealed        CatalogCode = "catalog_sealed" // a lease was issued, so no module can be added
)

// CatalogError is a mistake of the author of a catalog.
type CatalogError struct {
	Code                 CatalogCode
	Tool, Module, Method string // what it is about, as far as it is about one
	Reason               string // in words, where the code does not say it all
	Err                  error  // a *SchemaError, or nil
}

func (e *CatalogError) Error() string {
	text := "draft: catalog"
	if e.Module != "" {
		text += ", module " + shown(e.Module)
	}
	if e.Method != "" {
		text += ", method " + shown(e.Method)
	}
	if e.Tool != "" {
		text += ", tool " + shown(e.Tool)
	}
	switch e.Code {
	case CatalogDuplicateTool:
		return text + ": there is one of this name already"
	case CatalogUnknownTool:
		return text + ": there is no such tool"
	case CatalogToolInUse:
		return text + ": the module needs the tool"
	case CatalogTooManyTools:
		return text + fmt.Sprintf(": more than %d tools", MaxTools)
	case CatalogTooLarge:
		return text + fmt.Sprintf(": its listing takes more than %d bytes", MaxCatalogBytes)
	case CatalogSealed:
		return text + ": no module can be added after a lease was issued"
	}
	return text + ": " + e.Reason
}

// Unwrap returns Err.
func (e *CatalogError) Unwrap() error { return e.Err }

package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
)

// object is a JSON object of the document; encoding sorts its members.
type object = map[string]any

// describe writes the OpenAPI 3.1 document: the endpoints, and for each
// command the schema of its parameters inside the body of /perform_action.
func (s *Service) describe() ([]byte, error) {
	components := schemas()
	if s.options.Drafts != nil {
		maps.Copy(components, draftSchemas())
	}
	if err := s.commandSchemas(components); err != nil {
		return nil, err
	}
	paths := object{}
	for _, e := range s.endpoints() {
		path := strings.TrimSuffix(e.path, "{$}")
		operations, _ := paths[path].(object)
		if operations == nil {
			operations = object{}
			paths[path] = operations
		}
		operations[strings.ToLower(e.method)] = e.describe()
	}
	return jsontree.Marshal(object{
		"openapi": "3.1.0",
		"info":    object{"title": s.options.Title, "version": s.options.Version},
		"paths":   paths,
		"components": object{
			"schemas": components,
			"securitySchemes": object{
				"access":  object{"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "The access token of /initialize."},
				"refresh": object{"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "The refresh token of /initialize."},
				"secret":  object{"type": "http", "scheme": "bearer", "description": "The server's secret, where it was started with one."},
			},
		},
	})
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

func (e *endpoint) describe() object {
	out := object{"operationId": e.id, "summary": e.summary}
	answers := object{}
	add := func(r reply) {
		content := r.content
		if content == "" {
			content = "application/json"
		}
		media := object{}
		if r.schema != "" {
			media["schema"] = object{"$ref": "#/components/schemas/" + r.schema}
		}
		kinds := object{content: media}
		if content == "application/x-ndjson" {
			kinds["text/event-stream"] = object{}
		}
		answers[strconv.Itoa(r.status)] = object{"description": r.about, "content": kinds}
	}
	for _, r := range e.answers {
		add(r)
	}
	if e.body != nil {
		out["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": json.RawMessage(e.body())}}}
		add(reply{400, "Detail", "The body ended before its time, or asks for what cannot be.", ""})
		add(reply{408, "Detail", "The body did not arrive in time.", ""})
		add(reply{413, "Detail", "The body is too long.", ""})
		add(reply{415, "Detail", "The body is no JSON.", ""})
	}
	if _, own := answers["422"]; !own && (e.body != nil || len(e.query) > 0) {
		add(reply{422, "Detail", "What was sent is not what is accepted.", ""})
	}
	if e.auth != authNone {
		out["security"] = []object{{[]string{"", "access", "refresh", "secret"}[e.auth]: []string{}}}
		add(reply{401, "Detail", "The bearer token is missing or not accepted.", ""})
	}
	if e.auth != authNone {
		add(reply{500, "Detail", "What the channel left could not be read or stored.", ""})
		add(reply{503, "Detail", "The server is busy, or shuts down.", ""})
	}
	for _, name := range pathParameter.FindAllStringSubmatch(e.path, -1) {
		list, _ := out["parameters"].([]object)
		out["parameters"] = append(list, object{"name": name[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, q := range e.query {
		schema := object{"type": q.kind}
		if q.most > 0 {
			schema["minimum"], schema["maximum"] = q.least, q.most
		}
		list, _ := out["parameters"].([]object)
		out["parameters"] = append(list, object{"name": q.name, "in": "query", "required": false, "description": q.description, "schema": schema})
	}
	if e.takesKey() {
		list, _ := out["parameters"].([]object)
		out["parameters"] = append(list, object{"name": idempotencyHeader, "in": "header", "required": false,
			"description": "What makes this request one, however often it is sent: the command runs once, and each gets its answer.",
			"schema":      object{"type": "string", "pattern": idempotencyPattern}})
	}
	out["responses"] = answers
	return out
}

// actionSchema is the schema of the body of /perform_action: one alternative a
// command, each with the published schema of its parameters.
func (s *Service) actionSchema() []byte {
	action := object{"type": "object", "description": "The direct action: command_name and parameters."}
	alternatives := []object{}
	for _, c := range s.dispatcher.Workflow().Commands() {
		alternatives = append(alternatives, object{
			"type": "object", "title": c.Name(), "description": c.Description(), "required": []string{"command_name"},
			"properties": object{
				"command_name": object{"const": c.Name()},
				"parameters":   object{"$ref": componentRef(componentOf(c))},
			},
		})
	}
	if len(alternatives) > 0 {
		action = object{"anyOf": alternatives}
	}
	schema := object{
		"type": "object", "required": []string{"action"},
		"properties": object{"action": action, "timeout_seconds": object{"type": "integer", "minimum": 0, "default": 60}},
	}
	text, _ := jsontree.Marshal(schema) // it holds nothing that has no form in JSON
	return text
}

// componentOf names the component that holds a command's parameters.
func componentOf(c *command.Command) string {
	return "Command." + strings.ReplaceAll(c.Name(), "/", "__")
}

func componentRef(name string) string { return "#/components/schemas/" + name }

// commandSchemas adds the schemas of the commands' parameters to the
// components, in the profile that OpenAPI takes.
func (s *Service) commandSchemas(into object) error {
	for _, c := range s.dispatcher.Workflow().Commands() {
		schema, err := c.Signature().Profile("openapi")
		if err != nil {
			return fmt.Errorf("rest: command %s: %w", c.Name(), err)
		}
		into[componentOf(c)] = json.RawMessage(schema)
	}
	return nil
}

// schemas are what the endpoints answer.
func schemas() object {
	text := object{"type": "string"}
	flag := object{"type": "boolean"}
	whole := object{"type": "integer"}
	orNull := func(schema object) object { return object{"anyOf": []object{schema, {"type": "null"}}} }
	list := func(of object) object { return object{"type": "array", "items": of} }
	ref := func(name string) object { return object{"$ref": componentRef(name)} }
	record := func(properties object, optional ...string) object {
		required := []string{}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if !slices.Contains(optional, name) {
				required = append(required, name)
			}
		}
		return object{"type": "object", "properties": properties, "required": required}
	}
	tokenMembers := func(more object) object {
		out := object{"access_token": text, "refresh_token": text, "token_type": object{"const": "bearer"}, "expires_in": whole}
		maps.Copy(out, more)
		return out
	}
	return object{
		"Alive":   record(object{"status": object{"const": "alive"}}),
		"Cleared": record(object{"status": object{"const": "ok"}, "cleared": flag}),
		"CommandOutput": record(object{
			"command_response": ref("CommandResponse"), "workflow_name": text, "context": text, "command_name": text,
			"command_parameters": object{}, "started_at": orNull(object{"type": "string", "format": "date-time"}), "duration_ms": orNull(whole),
			"problems": list(ref("Problem")), "repairs": list(object{"type": "object"}),
		}, "problems", "repairs"),
		"CommandResponse": record(object{"response": text, "success": flag, "artifacts": object{"type": "object"},
			"next_actions": list(object{"type": "object"}), "recommendations": list(object{"type": "object"})}),
		"Conversations": list(record(object{"conversation_id": whole, "topic": text, "summary": text,
			"created_at": object{"type": "string", "format": "date-time"}, "updated_at": object{"type": "string", "format": "date-time"}})),
		"Detail": record(object{"detail": object{"anyOf": []object{text, list(record(object{"type": text, "loc": list(object{}), "msg": text}))}}}),
		"Dumped": record(object{"file_path": text}),
		"Initialized": record(tokenMembers(object{"startup_output": orNull(ref("TurnOutput")), "startup_turn_key": orNull(text),
			"startup_exec_state": orNull(object{"enum": []string{"queued", execRunning, execDone, "lost"}}), "startup_error": orNull(text)})),
		"OpenAPI": object{"type": "object"},
		"Problem": record(object{"field": text, "kind": text, "got": text, "accepted": text, "example": text, "nearest": list(text), "more": whole,
			"sample": flag, "available_from": list(text), "text": text, "fields": list(text)},
			"field", "got", "accepted", "example", "nearest", "more", "sample", "available_from", "text", "fields"),
		"Ready": record(object{"status": object{"enum": []string{"ready", "not_ready"}}, "checks": object{"type": "object", "additionalProperties": flag},
			"memory": object{"type": "object", "additionalProperties": whole}}, "memory"),
		"Status": record(object{"status": object{"const": "ok"}, "message": text}, "message"),
		"Tokens": record(tokenMembers(nil)),
		"TurnOutput": record(object{"turn_key": text, "status": ref("TurnStatus"), "failure_reason": orNull(text), "answer": text,
			"command_outputs": list(ref("CommandOutput")), "success": flag}),
		"TurnReply": record(object{"turn_key": text, "exec_state": object{"const": execDone}, "status": ref("TurnStatus"), "failure_reason": orNull(text),
			"success": flag, "answer": text, "command_outputs": list(ref("CommandOutput"))}),
		"TurnRunning": record(object{"turn_key": text, "exec_state": object{"const": execRunning}}),
		"TurnStatus":  object{"enum": []command.TurnStatus{command.TurnCompleted, command.TurnAwaitingUser, command.TurnFailed, command.TurnCancelled, command.TurnAbandoned}},
	}
}

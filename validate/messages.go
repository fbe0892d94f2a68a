package validate

import (
	"strings"

	"github.com/fwgo/fwgo/internal/quote"
)

// Bounds of what a message shows (D-8).
const (
	longestShown  = 60 // characters of any one text that arrived
	longestHook   = 2000
	mostNearest   = 5
	mostProblems  = 20
	mostNames     = 12
	mostProducers = 5

	longestPath  = 120  // characters of the path of one field
	longestNames = 200  // where a list of names goes over to a count
	longestLines = 1450 // where the lines of a message go over to a count
)

// Wording chooses among the forms a message can take.
type Wording struct {
	// Human addresses a person, who can answer in the conversation, rather
	// than an agent, who sends a new call (FW-99 to FW-106).
	Human bool
	// Repeated says that the same call has already failed the same way.
	Repeated bool
	// Usage shows how the call is written, for calls that did not bind.
	Usage string
	// Decoded are the parameters in which character references were decoded,
	// so that a caller who compares knows (N-16).
	Decoded []string
	// SoFar are the values understood already, as "Name: value" (FW-104).
	SoFar []string
	// Ask are the parameters that a person's next message is to give, by path;
	// if there are none, the whole call is to be sent again.
	Ask []string
}

// Message renders the problems of a call of the named command as the one text
// the caller reads: a line a problem, then what to send next.
func Message(command string, problems []Problem, w Wording) string {
	var few [2 << 10]byte // room for most messages, so that they are written once
	b := few[:0]
	switch {
	case command != "" && len(problems) > 0 && problems[0].Kind == BodyFailed:
		b = add(b, "COMMAND '", quote.Bare(command, longestShown), "' FAILED\n")
	case command != "":
		b = add(b, "PARAMETER EXTRACTION ERROR FOR COMMAND '", quote.Bare(command, longestShown), "'\n")
	}
	if len(w.SoFar) > 0 {
		b = add(b, "Extracted parameters so far:\n", strings.Join(w.SoFar, "\n"), "\n\n")
	}
	shown := problems
	if len(shown) > mostProblems {
		shown = shown[:mostProblems]
	}
	start := len(b)
	listed := "" // the parameters that a line above has listed
	for i := range shown {
		p := &shown[i]
		if p.Kind == UnknownName && p.Accepted == listed {
			without := *p
			without.Accepted = ""
			p = &without
		} else if p.Kind == UnknownName {
			listed = p.Accepted
		}
		before := len(b)
		b = appendLine(b, p)
		if i > 0 && len(b)-start > longestLines {
			b, shown = b[:before], shown[:i]
			break
		}
		b = append(b, '\n')
	}
	switch left := len(problems) - len(shown); {
	case left == 1:
		b = add(b, "... and 1 more problem.\n")
	case left > 1:
		b = add(b, "... and ", quote.Count(left), " more problems.\n")
	}
	if len(w.Decoded) > 0 {
		b = add(b, "Character references (such as &amp;) were decoded in ", names(w.Decoded), " before this check.\n")
	}
	if w.Repeated {
		b = add(b, "This same call was already refused for the same reason. Sending it again unchanged will fail again: change what the lines above name.\n")
	}
	return string(add(b, nextStep(command, problems, w)))
}

// add appends texts.
func add(b []byte, texts ...string) []byte {
	for _, text := range texts {
		b = append(b, text...)
	}
	return b
}

// nextStep is the end of a message: what to send now.
func nextStep(command string, problems []Problem, w Wording) string {
	if command == "" && len(problems) > 0 && problems[0].Kind == SessionBusy {
		return "The parameters may well be right: send the call again unchanged."
	}
	if len(problems) == 0 || command == "" {
		return strings.TrimSuffix("Send one command by its name, then its parameters. "+w.Usage, " ")
	}
	name := quote.Bare(command, longestShown)
	if problems[0].Kind == BodyFailed {
		return "The fault is not in the parameters. Find out first whether " + name + " took effect, so that it is not done twice, and report it if it stays."
	}
	if noneTheCallers(problems) {
		return "The fault is not in the parameters: try " + name + " again later, or report it if it stays."
	}
	if problems[0].Kind == SessionBusy {
		return "The parameters may well be right: send " + name + " again unchanged."
	}
	if w.Human && w.Usage != "" {
		return "Enter the whole call again. It is written like this: " + w.Usage
	}
	if w.Human {
		ask := wanted(problems, "a value for %", "a corrected value for %", "the call again, with the lines above put right")
		if len(w.Ask) > 0 {
			ask = asked(problems, w.Ask)
		}
		return "Enter " + ask + ".\n" +
			"Enter 'abort' to get out of this error state and/or execute a different command.\n" +
			"Enter 'you misunderstood' if the wrong command was executed."
	}
	text := "Check your command name if the wrong command was executed.\nSend " + name + " again, complete, with " + wanted(problems, "% given", "% corrected", "the lines above put right") + "."
	if w.Usage != "" {
		text += " Write it like this: " + w.Usage
	}
	return text
}

// asked names the values that the next message is to give.
func asked(problems []Problem, paths []string) string {
	for i := range problems {
		if problems[i].Kind != Missing {
			return "a corrected value for " + names(paths)
		}
	}
	return "a value for " + names(paths)
}

// notTheCallers reports whether a problem is none that other parameters would
// solve.
func notTheCallers(k Kind) bool {
	return k == BodyFailed || k == HookFailed || k == LookupUnavailable || k == NotStarted
}

func noneTheCallers(problems []Problem) bool {
	for i := range problems {
		if !notTheCallers(problems[i].Kind) {
			return false
		}
	}
	return true
}

// wanted names what the next message should bring, in the words for fields
// that are missing, for fields that are wrong, and for neither. A problem that
// is none of a field's value would be left out of such a list, and so not be put
// right.
func wanted(problems []Problem, given, corrected, neither string) string {
	for i := range problems {
		if p := &problems[i]; !notTheCallers(p.Kind) && len(p.Fields) == 0 && (p.Field == "" || p.Kind == UnknownName) {
			return neither
		}
	}
	var few [2][8]string
	missing := concerned(few[0][:0], problems, true)
	wrong := concerned(few[1][:0], problems, false)
	switch {
	case len(missing) > 0 && len(wrong) > 0:
		return forNames(given, missing) + " and " + forNames(corrected, wrong)
	case len(missing) > 0:
		return forNames(given, missing)
	case len(wrong) > 0:
		return forNames(corrected, wrong)
	}
	return neither
}

// concerned appends the parameters that are missing, or those that are wrong.
func concerned(list []string, problems []Problem, missing bool) []string {
	for i := range problems {
		p := &problems[i]
		switch {
		case notTheCallers(p.Kind) || (p.Kind == Missing) != missing:
		case len(p.Fields) > 0:
			list = appendNew(list, p.Fields...)
		case p.Field != "" && p.Kind != UnknownName:
			list = appendNew(list, p.Field)
		}
	}
	return list
}

// forNames puts names in the place of the % of a text.
func forNames(text string, list []string) string {
	before, after, _ := strings.Cut(text, "%")
	var few [2 * longestNames]byte
	return string(add(appendNames(add(few[:0], before), list), after))
}

func appendNew(list []string, words ...string) []string {
next:
	for _, word := range words {
		for _, have := range list {
			if have == word {
				continue next
			}
		}
		list = append(list, word)
	}
	return list
}

// Names lists names for a message, at most a dozen that are not long, and then
// a count.
func Names(list []string) string { return names(list) }

// names lists names of fields or commands, which authors choose; they are
// still cut, since a path may hold a caller's own member name.
func names(list []string) string {
	var few [2 * longestNames]byte
	return string(appendNames(few[:0], list))
}

func appendNames(b []byte, list []string) []byte {
	start := len(b)
	for i, name := range list {
		switch {
		case i == mostNames || len(b)-start > longestNames:
			return add(b, " and ", quote.Count(len(list)-i), " more")
		case i > 0 && i == len(list)-1:
			b = add(b, " and ")
		case i > 0:
			b = add(b, ", ")
		}
		b = add(b, quote.Bare(name, longestShown))
	}
	return b
}

// Line renders one problem as one line, beginning with the field if it has
// one. A hook's own text may have several lines.
func Line(p *Problem) string { return string(appendLine(nil, p)) }

func appendLine(b []byte, p *Problem) []byte {
	if p.Field != "" && p.Kind != HookRefused {
		b = add(b, quote.Bare(p.Field, longestPath), ": ")
	}
	b = appendNearest(appendWhat(b, p), p)
	if p.Example != "" && len(p.Nearest) == 0 {
		b = add(b, " For example: ", p.Example, ".")
	}
	if len(p.AvailableFrom) > 0 && p.Kind != NotCallableHere {
		b = add(b, " Get a value with ", producers(p.AvailableFrom), ".")
	}
	return b
}

func producers(commands []string) string {
	list := commands[:min(len(commands), mostProducers)]
	text := strings.ReplaceAll(names(list), " and ", " or ")
	if more := len(commands) - len(list); more > 0 {
		text += ", or with " + quote.Count(more) + " other commands"
	}
	return text
}

func appendNearest(b []byte, p *Problem) []byte {
	if len(p.Nearest) == 0 {
		return b
	}
	end := "?"
	switch {
	case p.Sample:
		b, end = add(b, " Known values are, for instance: "), "."
	case p.Kind == NotFound && len(p.Nearest) > 1:
		b = add(b, " Did you mean one of these: ")
	default:
		b = add(b, " Did you mean ")
	}
	for i, word := range p.Nearest {
		if i > 0 {
			b = add(b, ", ")
		}
		b = add(b, word)
	}
	if p.More > 0 {
		b = add(b, " and ", quote.Count(p.More), " more")
	}
	return add(b, end)
}

// appendWhat says what is wrong. These are the texts of every kind, in one place.
func appendWhat(b []byte, p *Problem) []byte {
	switch p.Kind {
	case NotAnObject:
		return add(b, "the arguments must be one JSON object (map) of parameters, but ", p.Got, " arrived.", accepts(p, " The parameters are "))
	case CutOff:
		return add(b, "the arguments are cut off: the JSON ends in the middle", in(p), expected(p), ". Nothing was run; send the complete JSON object.")
	case TrailingText:
		return add(b, "the arguments must be a single JSON object, but extra text follows it: ", p.Got, ". Send one call at a time.")
	case RepeatedName:
		return add(b, "the name ", p.Got, " is given more than once in the JSON object", in(p), ". Send it once, with the value that is meant.")
	case BadEncoding:
		return add(b, "the arguments hold what is no text: bytes that are not UTF-8, or half of a pair of \\u escapes", in(p), ". Send the text as UTF-8.")
	case TooDeep:
		return add(b, "the arguments are nested too deep: at most ", p.Accepted, " levels of lists and objects are accepted.")
	case TooLong:
		return add(b, "the arguments are too long: at most ", p.Accepted, " are accepted, and ", p.Got, " arrived.")
	case NotJSON:
		return add(b, "the arguments are not JSON", in(p), ": at ", p.Got, expected(p), ". Send one JSON object with nothing around it.")
	case NotACall:
		return add(b, "this is not a call: a call begins with the name of a command, then its parameters. It begins with ", p.Got, ".", accepts(p, " The commands are "))
	case UnknownCommand:
		text := "no command is named " + p.Got + "."
		if len(p.Nearest) == 0 {
			text += accepts(p, " The commands are ")
		}
		return add(b, text)
	case NotCallableHere:
		return add(b, "the command ", p.Got, " cannot be called in the current context (", quote.Bare(p.Text, longestShown), "); it belongs to ", p.Accepted, ".", orElse(entering(p), " what_can_i_do lists what can be called here."))
	case ExtractionFailed:
		return add(b, "the text could not be read just now (", orElse(p.Text, "the model that reads free text did not answer"), "); nothing was run. Write the call with a tag for each parameter, or try again later.")
	case WrongCount:
		return add(b, "got ", p.Got, " values, but ", p.Accepted, " are asked for: ", names(p.Fields), ". Separate them with commas, in this order, and put a value that holds a comma in quotes.")
	case UnclearCall:
		return add(b, "the call cannot be read without doubt: ", p.Text, ". Nothing was run.")
	case UnnamedValue:
		return add(b, "the value ", p.Got, " names no parameter, and it is in doubt which one takes it; nothing was run.", accepts(p, " The parameters are "))
	case GivenTwice:
		return add(b, "is given more than once, and only one value is accepted. Send it once.")
	case UnknownName:
		return add(b, "there is no parameter of this name.", accepts(p, " The parameters are "))
	case SwallowedMarkup:
		return add(b, "the value seems to hold another parameter, ", p.Got, ", which was not given otherwise. Send each parameter on its own.")
	case WrongType:
		return add(b, "got ", p.Got, ", but ", p.Accepted, " is accepted.")
	case NotAMember:
		return add(b, "got ", p.Got, ", but the accepted value is ", p.Accepted, ".")
	case NoMatch:
		return add(b, "got ", p.Got, ", but ", p.Accepted, " is accepted.")
	case WrongFormat:
		return add(b, "got ", p.Got, ", but ", p.Accepted, " is accepted.")
	case OutOfRange:
		return add(b, "got ", p.Got, ", but ", p.Accepted, " is accepted.")
	case WrongLength:
		return add(b, "got ", p.Got, ", but ", p.Accepted, " is accepted.")
	case NotUnique:
		return add(b, "got ", p.Got, " more than once, but each item may occur only once.")
	case RuleBroken:
		if p.Field == "" {
			return add(b, "the parameters do not fit together: ", p.Accepted, ".")
		}
		return add(b, "got ", p.Got, ", but ", p.Accepted, ".")
	case Missing:
		return add(b, "missing; ", p.Accepted, " is needed.")
	case NotFound:
		return add(b, "got ", p.Got, ", which is not one of the known values.")
	case LookupUnavailable:
		return add(b, "the value ", p.Got, " could not be looked up just now; nothing was run.")
	case HookRefused:
		return add(b, p.Text)
	case HookFailed:
		return add(b, "the check of the parameters before the command failed; nothing was run.", after(p.Text))
	case NotStarted:
		return add(b, "the call was given up, or its time was over, before the command began; nothing was run.")
	case BodyFailed:
		return add(b, "the command started and failed before it could answer; it may have taken effect in part.", after(p.Text))
	case SessionBusy:
		return add(b, "an earlier call of this session has not ended yet; this call was not started. Send it again when the earlier one has answered.")
	}
	return add(b, "the call cannot be run.")
}

func entering(p *Problem) string {
	if len(p.AvailableFrom) == 0 {
		return ""
	}
	return " Enter it with " + producers(p.AvailableFrom) + "."
}

func in(p *Problem) string {
	if p.Text == "" {
		return ""
	}
	return " (in " + quote.Bare(p.Text, longestShown) + ")"
}

func expected(p *Problem) string {
	if p.Accepted == "" {
		return ""
	}
	if strings.HasPrefix(p.Accepted, "no ") {
		return ", where " + p.Accepted + " is accepted"
	}
	return ", where " + p.Accepted + " must follow"
}

// noParameters stands for the list of names of a command without any.
const noParameters = "none: the command takes no parameters"

func accepts(p *Problem, lead string) string {
	switch p.Accepted {
	case "":
		return ""
	case noParameters:
		return " The command takes no parameters."
	}
	return lead + p.Accepted + "."
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func after(text string) string {
	if text == "" {
		return ""
	}
	return " " + text
}

// ruleTexts say what a rule between fields asks; % is the other field.
var ruleTexts = map[string]string{
	"eqfield":          "it must be equal to %",
	"nefield":          "it must differ from %",
	"gtfield":          "it must be greater than %",
	"gtefield":         "it must not be less than %",
	"ltfield":          "it must be less than %",
	"ltefield":         "it must not be greater than %",
	"required_if":      "it is needed when %",
	"required_with":    "it is needed together with %",
	"required_without": "it is needed unless % is given",
	"excluded_with":    "it cannot be given together with %",
	"alpha":            "only letters are accepted",
	"alphanum":         "only letters and digits are accepted",
	"numeric":          "only digits are accepted",
	"startswith":       "it must begin with %",
	"endswith":         "it must end with %",
	"contains":         "it must contain %",
	"lowercase":        "it must be in lower case",
	"uppercase":        "it must be in upper case",
}

// doubts say why a text call could not be read, by the word for the doubt; %
// is the part of the call in question.
var doubts = map[string]string{
	"function_call":      "it is written like a function call, %; write parameters as tags or as name=value pairs without parentheses",
	"bare_name":          "the name % stands without a value",
	"unclosed_tag":       "the tag of this parameter has no end; close it where its value ends",
	"broken_tag":         "the tag % is not well formed",
	"mismatched_tag":     "the end % does not belong to the tag that is open",
	"nested_tag":         "the tag of this parameter stands inside itself, so it is in doubt where the value ends",
	"tag_inside":         "the value holds the tag % of another parameter",
	"two_ends":           "the value could end at more than one closing tag; wrap it in <![CDATA[...]]> or send the call as JSON",
	"text_outside_tags":  "% stands outside the tags; write nothing but one tag for each parameter",
	"unclear_items":      "the items of the list are not written in one way; send one JSON list",
	"unbalanced_quote":   "the quote that begins % has no end",
	"unbalanced_bracket": "the bracket that begins % has no end",
	"comma_in_value":     "the comma in % could be part of the value or a separator; put the value in quotes",
	"null_word":          "% could be that word or no value; put a word in quotes, and leave a parameter without a value out",
	"stray_words":        "the words % belong to no name=value pair; put a value with blanks in quotes",
	"pair_inside":        "% may be a value or another name=value pair; put a value that holds = in quotes",
	"quoted_pair":        "% has quotes around its name; write name=value with quotes around the value only",
	"several_words":      "it is in doubt which parameters the words % belong to; name each parameter",
	"several_lines":      "the value has several lines; name its parameter with a tag",
	"markup":             "the value % holds < or >; name its parameter with a tag",
	"looks_like_option":  "% looks like an option of a command line; parameters are written as tags or name=value pairs",
	"looks_like_list":    "% looks like a list, and no list is expected there",
	"others_missing":     "the value % alone leaves this parameter without one; name each parameter",
	"placeholder":        "% stands for a value that was not found",
	"parroted_example":   "% is the example of the documentation, not a value of its own",
}

// unclear is for a doubt without words of its own; a test holds that there is
// none.
const unclear = "% is not clear"

// doubtText says why a call could not be read: what is the part in question,
// as it may be shown, and field the parameter.
func doubtText(doubt, what, field string) string {
	text, ok := doubts[doubt]
	if !ok {
		text = unclear
	}
	return strings.NewReplacer("%", orElse(what, "it"), "</name>", "</"+orElse(field, "name")+">").Replace(text)
}

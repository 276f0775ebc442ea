# What is wrong with a SARIF log of `oldsow check --sarif`, a line for each fault: the parts of SARIF 2.1.0 that Oldsow
# writes, with the properties that the standard requires of them and no others than it knows.

def among($known): (keys - $known) as $odd | if $odd == [] then empty else "unknown properties \($odd)" end;
def needs($name; $type): if (.[$name] | type) == $type then empty else "no \($name) that is \($type)" end;
def text: among(["text", "markdown"]), needs("text"; "string"), (if .text == "" then "an empty text" else empty end);
def whole($least): type == "number" and . == floor and . >= $least;

def artifact:
  among(["uri"]), needs("uri"; "string"),
  (if .uri | test("^(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$") then empty else "no reference: \(.uri)" end);

def region:
  among(["startLine", "startColumn", "endLine", "endColumn"]),
  (if all(.[]; whole(1)) and length == 4 then empty else "a region is four numbers from 1" end),
  (if [.startLine, .startColumn] <= [.endLine, .endColumn] then empty else "a region ends before it begins" end);

def location:
  among(["id", "message", "physicalLocation", "logicalLocations"]),
  (if has("physicalLocation") or has("logicalLocations") then empty else "a location that is nowhere" end),
  (select(has("physicalLocation")) | .physicalLocation
    | among(["artifactLocation", "region"]), (.artifactLocation | artifact), (select(has("region")) | .region | region)),
  (select(has("logicalLocations")) | .logicalLocations[] | among(["fullyQualifiedName"]), needs("fullyQualifiedName"; "string")),
  (select(has("message")) | .message | text);

def change:
  among(["artifactLocation", "replacements"]), needs("artifactLocation"; "object"), needs("replacements"; "array"),
  (.artifactLocation | artifact),
  (if .replacements == [] then "no replacements" else empty end),
  (.replacements[] | among(["deletedRegion", "insertedContent"]), needs("deletedRegion"; "object"),
    (.deletedRegion | region), (.insertedContent | among(["text"]), needs("text"; "string")));

def fix:
  among(["description", "artifactChanges"]), needs("artifactChanges"; "array"),
  (.description | text), (if .artifactChanges == [] then "no changes" else empty end), (.artifactChanges[] | change);

def rule:
  among(["id", "shortDescription", "help", "defaultConfiguration"]), needs("id"; "string"),
  (.shortDescription | text), (.help | text, needs("markdown"; "string")),
  (.defaultConfiguration | among(["level"]), (if .level == "error" or .level == "warning" then empty else "level" end));

def result($rules):
  among(["ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "fixes"]),
  needs("message"; "object"), (.message | text),
  (if .level == "error" or .level == "warning" then empty else "level is \(.level)" end),
  (if (.ruleIndex | whole(0)) and $rules[.ruleIndex].id == .ruleId then empty else "ruleIndex is not that of \(.ruleId)" end),
  (if (.locations | length) == 1 then empty else "not one location" end),
  (.locations[] | location),
  (select(has("relatedLocations")) | .relatedLocations
    | (if map(.id) == [range(1; length + 1)] then empty else "ids of related locations" end),
      (.[] | needs("message"; "object"), location)),
  (select(has("fixes")) | .fixes[] | fix);

among(["$schema", "version", "runs"]),
(if .version == "2.1.0" then empty else "version is \(.version)" end),
(if .["$schema"] | test("^https://.*/sarif-schema-2\\.1\\.0\\.json$") then empty else "$schema" end),
(if (.runs | length) == 1 then empty else "not one run" end),
(.runs[] | among(["tool", "invocations", "columnKind", "properties", "results"]),
  needs("tool"; "object"), needs("results"; "array"),
  (if .columnKind == "unicodeCodePoints" then empty else "columnKind" end),
  (.properties | among(["errors", "warnings"]),
    (if (.errors | whole(0)) and (.warnings | whole(0)) then empty else "properties" end)),
  (.invocations[] | among(["executionSuccessful", "exitCode"]), needs("executionSuccessful"; "boolean"),
    (if .exitCode | whole(0) then empty else "exitCode" end)),
  (.tool | among(["driver"]), (.driver | among(["name", "semanticVersion", "rules"]), needs("name"; "string"),
    needs("semanticVersion"; "string"), (.rules | if (map(.id) | unique | length) == length then empty else "a rule twice" end),
    (.rules[] | rule))),
  (.tool.driver.rules as $rules | .results[] | result($rules)))

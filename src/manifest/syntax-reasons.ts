import type { ErrorCode } from 'yaml'

/** The meaning of each code of the YAML parser, whose own messages may quote the text, and so a secret. */
export const syntaxReasons: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias must not have an anchor or tag',
  BAD_ALIAS: 'this alias refers to an anchor that does not exist before it',
  BAD_COLLECTION_TYPE: 'this tag does not match the collection',
  BAD_DIRECTIVE: 'unknown directive',
  BAD_DQ_ESCAPE: 'invalid escape sequence in double quotes',
  BAD_INDENT: 'the indentation does not match the surrounding lines',
  BAD_PROP_ORDER: 'anchors and tags belong after the indicator and before the value',
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a value that contains a colon and a space needs quotes, or a line is indented wrongly',
  BLOCK_IN_FLOW: 'inside braces and brackets only the flow style is allowed',
  DUPLICATE_KEY: 'duplicate key',
  IMPOSSIBLE: 'the text cannot be parsed',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters',
  MISSING_CHAR:
    'a character is missing before here, such as a closing quote, a bracket, a comma or a space after a colon',
  MULTILINE_IMPLICIT_KEY: 'a key spans several lines; a colon or a quote may be missing',
  MULTIPLE_ANCHORS: 'a value can have only one anchor',
  MULTIPLE_DOCS: 'a second document begins here',
  MULTIPLE_TAGS: 'a value can have only one tag',
  NON_STRING_KEY: 'a key is not text',
  RESOURCE_EXHAUSTION: 'the nesting is too deep',
  TAB_AS_INDENT: 'tabs cannot indent; use spaces',
  TAG_RESOLVE_FAILED: 'a tag cannot be resolved',
  UNEXPECTED_TOKEN: 'unexpected text; a quote, bracket or line break before it may be wrong',
}

import type { ErrorCode } from 'yaml'

/** What each code of the YAML parser means; its own messages may quote the text, and so a secret. */
export const syntaxReasons: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias carries no anchor or tag of its own',
  BAD_ALIAS: 'this alias names no anchor before it',
  BAD_COLLECTION_TYPE: 'this tag does not fit the collection',
  BAD_DIRECTIVE: 'this directive is not known',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins an escape that does not exist',
  BAD_INDENT: 'the indentation does not fit the lines around it',
  BAD_PROP_ORDER: 'anchors and tags stand after the indicator, before the value',
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a value that holds a colon and a space needs quotes, or a line here is indented wrongly',
  BLOCK_IN_FLOW: 'inside braces and brackets only the flow style is allowed',
  DUPLICATE_KEY: 'a key is written twice',
  IMPOSSIBLE: 'the text cannot be read',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters',
  MISSING_CHAR:
    'a character is missing before here, such as a closing quote, a bracket, a comma or a space after a colon',
  MULTILINE_IMPLICIT_KEY: 'a key goes over several lines; a colon or a quote may be missing',
  MULTIPLE_ANCHORS: 'a value has one anchor at most',
  MULTIPLE_DOCS: 'a second document begins here',
  MULTIPLE_TAGS: 'a value has one tag at most',
  NON_STRING_KEY: 'a key is not text',
  RESOURCE_EXHAUSTION: 'the nesting is too deep',
  TAB_AS_INDENT: 'tabs cannot indent; use spaces',
  TAG_RESOLVE_FAILED: 'a tag cannot be resolved',
  UNEXPECTED_TOKEN: 'this does not belong here; a quote, bracket or line break before it may be wrong',
}

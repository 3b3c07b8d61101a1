import { hostileNames, words } from './hostile-names.js'
import { hostileTexts } from './hostile-texts.js'

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

const commands = [
  ...words('::error::x ::stop-commands::x ::group::x ##[error]x ##[command]x ###[error]x'),
  '::error file=a,line=1::x',
  '  ::add-mask::x',
  '::set-output name=a::b',
  '##vso[task.setvariable variable=PATH]x',
  '##vso[task.complete result=Failed;]x',
  "##teamcity[message text='x']",
  'x ##[error]y ##vso[a]b',
  'section_start:1:x\r\u001b[0K',
  'a\n::error::x',
  'a\r::error::x',
  'exitcode=0\nblocked=false',
  'a<<EOF\nb\nEOF',
]

const markdown = [
  ...words(`
    [x](https://evil.example) [x](javascript:alert(1)) [x][y] [^1] ![x](https://evil.example/beacon.png)
    ![x][y] <https://evil.example> <mailto:a@evil.example> https://evil.example http://evil.example/?a=b&c=d
    ftp://evil.example www.evil.example a@evil.example mailto:a@evil.example xmpp:a@evil.example/b @octocat
    @octocat/team #1 octocat/hello#1 GH-1 ~~~ | || a|b **x** __x__ ~~x~~ *** --- === $$x$$ :smile:
  `),
  '[x]: https://evil.example',
  '[^1]: note',
  '`',
  '``',
  '` `',
  'a`b``c```d',
  '```\ncode\n```',
  '`[x](https://evil.example)`',
  '` | [x](https://evil.example) | `',
  '`|`',
  '``|``',
  '| a | b |\n|---|---|',
  '\\',
  '\\\\',
  '\\`',
  '`\\',
  '\\`\\`',
  '\\|`',
  '`\\|',
  '\\\\|`[x](https://evil.example)',
  '# x',
  '- x',
  '* x',
  '1. x',
  '- [ ] x',
  '> x',
  '> [!NOTE]',
  '\tx',
  '    x',
  'a  \nb',
  'a\\\nb',
  '\n\n# x\n\n',
  '\n\n</details>\n\n',
  '$`x`$',
  '{{ x }}',
  '{% raw %}',
  '$'.concat('{{ secrets.X }}'),
]

const htmlTexts = [
  ...words(`
    <b>x</b> <script>alert(1)</script> <svg><script>alert(1)</script></svg> <style>*{display:none}</style>
    <template><b>x <textarea> <plaintext> <xmp> <!-- --> --!> --><script>alert(1)</script><!-- <![CDATA[x]]>
    ]]> </style> </style><script>alert(1)</script> </title><b>x </code></td></tr></table>
    </details></section></main></body></html> </summary> <summary> <table><tr><td> < > & " ' "><b>x '><b>x
    &lt;b&gt; &#60;b&#62; &#x3c;script&#x3e; &amp;lt;b&amp;gt; &colon;&lpar;&rpar; &NewLine;&Tab; &grave;
    &#96;&#124;&#10; javascript:alert(1) data:text/html,<b>x %3Cb%3E%0A ＜b＞
  `),
  '<img src=x onerror=alert(1)>',
  '<img src="https://evil.example/beacon.png">',
  '<a href="javascript:alert(1)">x</a>',
  '<svg onload=alert(1)>',
  '<math><mi xlink:href="javascript:alert(1)">',
  '<iframe srcdoc="x">',
  '<object data=x>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<link rel=stylesheet href="https://evil.example">',
  '<form action="https://evil.example"><input>',
  '<noscript><p title="</noscript><img src=x>">',
  '<!-- x -->',
  '<?xml version="1.0"?>',
  '<!doctype html>',
  '" onmouseover="alert(1)',
  "' onmouseover='alert(1)",
  'x=y style=display:none',
  '\\u003cb\\u003e',
  '<\u0000b>',
  '<\u200bb>',
  '\u2028<b>\u2029',
]

const others = [
  ...words('👩‍👩‍👧 🇩🇪 1️⃣ 👍🏽 ... - -- + ~ null {} [] "" __proto__ constructor $(id) %s%n =1+1'),
  'e\u0301\u0301\u0301',
  '\u202e`\u2066|',
  '\ud83d',
  'a\ud83d`',
  '|\udc00',
  ' ',
  '   ',
  ' a ',
  '`id`',
  '; rm -rf .',
  "'; id; '",
  'x'.repeat(300),
  '`'.repeat(300),
  '|'.repeat(300),
  '\n'.repeat(300),
  '\ud83d\ude00'.repeat(150),
]

/** Texts that try to inject markup or commands into a terminal, a CI log, Markdown or HTML. */
export const hostileMarkup: readonly string[] = [
  ...new Set([
    ...hostileTexts.map(([, text]) => text),
    ...hostileNames,
    ...commands,
    ...markdown,
    ...htmlTexts,
    ...others,
    ...upTo(12).map(count => '`'.repeat(count)),
    ...upTo(6).map(count => `${'`'.repeat(count)}<b>${'`'.repeat(count)}`),
    ...upTo(6).map(count => `${'\\'.repeat(count)}|<b>x</b>|`),
  ]),
]

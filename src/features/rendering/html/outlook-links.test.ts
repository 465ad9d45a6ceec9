import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseLinkToken } from '../../../lib/crypto/tokens.ts'
import { compileContent } from '../compile.ts'
import { requireRenderedSample, type SampleContent, sampleSource, sampleTokenKeys } from '../samples.ts'

const compile = (content: SampleContent) => compileContent(sampleSource(content))
const linksOf = (html: string) => compile({ html }).links.map(({ id, name, url }) => [id, name, url])

/** The rendered part, with `[kind link]` for each address of the service, and the target in it if the address carries one. */
function sent(html: string, data: object = {}): string {
  return requireRenderedSample({ html }, { data: { ...data } }).html.replace(
    /https:\/\/t\.shop\.example\/t\/(\w)\/([\w-]{72})(?:\/([\w-]+))?/g,
    (_, letter: string, token: string, travelling?: string) => {
      const kind = ({ r: 'redirection', m: 'mirror', u: 'unsubscribe', f: 'form' } as const)[letter]
      assert.ok(kind, letter)
      const target = travelling && Buffer.from(travelling, 'base64url').toString()
      return `[${kind} ${parseLinkToken(sampleTokenKeys, token, kind, target)?.link}${target ? ` ${target}` : ''}]`
    },
  )
}

const button = (href: string, more = '') =>
  `<!--[if mso]><v:roundrect xmlns:v="urn:x" href="${href}"${more} style="x"><center>Buy</center></v:roundrect><![endif]-->`
const link = (href: string) => `<!--[if !mso]><!--><a href="${href}">Buy now</a><!--<![endif]-->`

describe('links that only Outlook shows', () => {
  it('share the number of a link with the same target, and have one of their own otherwise', () => {
    const same = `${button('https://a.example/?x=1&amp;y=2')}${link('https://a.example/?x=1&amp;y=2')}`
    assert.deepEqual(linksOf(same), [[1, 'Buy now', 'https://a.example/?x=1&y=2']])
    assert.equal(
      sent(same),
      `${button('[redirection 1]')}${link('[redirection 1]')}`,
      'nothing but the addresses is different',
    )
    const two = `${button('https://b.example/')}${link('https://a.example/')}`
    assert.deepEqual(linksOf(two), [
      [1, 'Buy now', 'https://a.example/'],
      [2, 'Buy', 'https://b.example/'],
    ])
    assert.equal(sent(two), `${button('[redirection 2 https://b.example/]')}${link('[redirection 1]')}`)
  })

  it('with a name share the number only of a link with the same name', () => {
    const html = `${link('https://a.example/')}<a href="https://a.example/" dataminingname="hero">2</a>`
    assert.deepEqual(linksOf(`${html}${button('https://a.example/', ' dataminingname="hero"')}`).length, 2)
    assert.ok(
      sent(`${html}${button('https://a.example/', ' dataminingname="hero"')}`).includes(button('[redirection 2]')),
    )
    assert.deepEqual(linksOf(`${html}${button('https://a.example/', ' dataminingname="other"')}`)[2], [
      3,
      'other',
      'https://a.example/',
    ])
  })

  it('are numbered after all other links of a content', () => {
    const { links } = compile({
      contentFormat: 2,
      html: `${button('https://o.example/')}<a href="https://a.example/">A</a>{{ "https://t.example" | tracked }}`,
      text: '{{ "https://t2.example" | tracked: "T2" }}{{ links.form["0000GH"] }}',
    })
    assert.deepEqual(
      links.map(({ id, name }) => [id, name]),
      [
        [1, 'A'],
        [2, '2'],
        [3, 'T2'],
        [4, '0000GH'],
        [5, 'Buy'],
      ],
    )
  })

  it('lead to pages of the service and to forms, and lose their helper attributes', () => {
    assert.equal(
      sent(
        '<!--[if (gte mso 9)|(IE)]><a href="Unsubscribe">1</a><v:rect href=mirrorpage linktype="System"/><area href="0000GH" linktype="Form"><o:x href="https://a.example" tracking="Disabled"><![endif]-->',
      ),
      '<!--[if (gte mso 9)|(IE)]><a href="[unsubscribe 1]">1</a><v:rect href="[mirror 2]"/><area href="[form 3]"><o:x href="https://a.example"><![endif]-->',
    )
    assert.equal(sent('<v:rect href="Unsubscribe">x</v:rect>'), '<v:rect href="[unsubscribe 1]">x</v:rect>')
  })

  it('may come from values, which never end the comment', () => {
    const data = { u: 'https://a.example/?-->', word: '--><b>', unsafe: 'javascript:x' }
    assert.equal(
      sent(
        '<!--[if {{ data.word }}]><a href="{{ data.u }}">{{ data.word }}</a><a href="{{ data.unsafe }}"><![endif]-->',
        data,
      ),
      '<!--[if --&gt;&lt;b&gt;]><a href="[redirection 1 https://a.example/?-->]">--&gt;&lt;b&gt;</a><a href="#"><![endif]-->',
    )
    assert.equal(
      sent(
        '{% if data.u %}<!--[if mso]>{% for i in (1..2) %}<v:rect href="https://a.example/{{ i }}">{% endfor %}<![endif]-->{% endif %}',
        data,
      ),
      '<!--[if mso]><v:rect href="[redirection 1 https://a.example/1]"><v:rect href="[redirection 1 https://a.example/2]"><![endif]-->',
    )
  })

  it('do not change the names of the links around them', () => {
    const html =
      '<a href="https://a.example/"><!--[if mso]><i style="mso-font-width:150%">&nbsp;Outlook</i><![endif]--><span>See it</span><!--[if mso]><i>&nbsp;</i><![endif]--></a>'
    assert.deepEqual(linksOf(html), [[1, 'See it', 'https://a.example/']])
    assert.equal(sent(html), html.replace('https://a.example/', '[redirection 1]'))
  })

  it('do not move the content of the body', () => {
    const html = '<!--[if mso]><body></body><![endif]--><body>1</body><!--[if mso]></body><![endif]-->'
    const message = requireRenderedSample({ html, honeypot: true }, {}, { pixel: true, banner: 'B' }).html
    assert.match(
      message,
      /^<!--\[if mso\]><body><\/body><!\[endif\]--><body><div [^>]*>B<\/div><a [^>]*><\/a>1<img [^>]*><\/body><!--\[if mso\]><\/body><!\[endif\]-->$/,
    )
  })

  it('do not count as a link to unsubscribe for everybody', () => {
    const findings = (html: string) => compile({ html, analyse: true }).findings.map(({ type }) => type)
    assert.deepEqual(findings(button('Unsubscribe')), ['no-unsubscribe-link'])
    assert.deepEqual(findings(`${button('Unsubscribe')}${link('Unsubscribe')}`), [])
  })

  it('have their plain targets in a copy', () => {
    const html = `${button('https://a.example/?x=1&amp;y')}${button('https://b.example/')}${link('https://a.example/?x=1&amp;y')}`
    assert.equal(requireRenderedSample({ html }, {}, { mode: 'copy' }).html, html)
  })

  it('with an unsafe scheme are errors at their position', () => {
    const { errors } = compile({ html: `\n${button('javascript:x')}` })
    assert.deepEqual(
      errors.map(({ type, position }) => [type, position?.line, position?.column]),
      [['unsafe-link', 2, 43]],
    )
  })
})

describe('conditional comments', () => {
  it('that are not closed are reported at their position and left as they are', () => {
    for (const html of [
      '<p>\n <!--[if mso]><a href="Unsubscribe">x</a>-->',
      '<p>\n <!--[if mso]><a href="Unsubscribe">x</a><![endif]',
      '<p>\n <!--[if mso]><a href="Unsubscribe">x</a> <!-- a note --><![endif]-->',
    ]) {
      const { findings, links } = compile({ html })
      assert.deepEqual(
        findings.map(({ type, part, position }) => [type, part, position]),
        [['conditional-comment', 'html', { line: 2, column: 2 }]],
      )
      assert.deepEqual(links, [])
      assert.equal(requireRenderedSample({ html }).html, html)
    }
  })

  it('that hide nothing are read as ordinary HTML', () => {
    for (const start of ['<!--[if !mso]><!-->', '<!--[if !mso]><!-- -->', '<!--[if !IE]>-->', '<![if !mso]>'])
      assert.equal(
        sent(`${start}<a href="MirrorPage">1</a><!--<![endif]-->`),
        `${start}<a href="[mirror 1]">1</a><!--<![endif]-->`,
      )
    assert.deepEqual(compile({ html: '<!--[if !mso]><!-->1<!--<![endif]-->' }).findings, [])
  })

  it('nested ten thousand deep are read in time proportional to their length', () => {
    const html = `${'<!--[if mso]><a href="https://a.example/">'.repeat(10_000)}${'<![endif]'.repeat(10_000)}-->`
    const before = process.threadCpuUsage()
    const { links } = compile({ html })
    assert.equal(links.length, 1)
    assert.ok(process.threadCpuUsage(before).user < 2_000_000)
  })
})

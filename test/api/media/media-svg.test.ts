import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'

const { app, own, action, call, get, settle } = await startStage()
const NS = 'xmlns="http://www.w3.org/2000/svg"'

async function upload(text: string | Buffer) {
  const headers = { 'x-key': own.key, 'content-type': 'image/svg+xml' }
  const answer = await app.inject({ method: 'POST', url: '/media?name=logo.svg', headers, payload: Buffer.from(text) })
  return { status: answer.statusCode, body: answer.json() }
}

/** What everybody gets of a drawing. */
async function redrawn(text: string): Promise<string> {
  const { status, body } = await upload(text)
  assert.equal(status, 200, JSON.stringify(body))
  return (await app.inject({ url: new URL(body.address).pathname })).payload
}

const drawing = (inner: string): string => `<svg ${NS}>${inner}</svg>\n`
const DOT = '<circle r="1"/>'

suite('a redrawn SVG', () => {
  test('keeps its shapes, colours, styles, uses and size', async () => {
    const { body } = await upload(`<?xml version="1.0" encoding="UTF-8"?>
      <!-- made by a program -->
      <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      <svg ${NS} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="urn:i" viewBox="0 0 40 20" width="100%">
        <title>A &lt; B &amp; C</title>
        <style>/* ours */ @import url(https://x.example/a.css); @media print { .a { fill: red } }
          .a, .b { fill: url(#g); stroke: #fff } .c { background: url(https://x.example/p.png); fill: blue }</style>
        <defs><linearGradient id="g"><stop offset="0" stop-color="rgb(0, 0, 0)"/></linearGradient></defs>
        <g inkscape:label="x" style="opacity: .5; behavior: url(x.htc)"><path id="p" class="a" d="M0 0h9"/></g>
        <use xlink:href="#p" x="2"/>
        <text x="1">Hi <tspan>there</tspan></text>
      </svg>`)
    assert.deepEqual(
      [body.name, body.type, body.width, body.height, body.sizes],
      ['logo.svg', 'image/svg+xml', 40, 20, []],
    )
    const answer = await app.inject({ url: new URL(body.address).pathname })
    assert.equal(
      answer.payload,
      `<svg ${NS} viewBox="0 0 40 20" width="100%"><title>A &lt; B &amp; C</title>` +
        '<style>.a,.b{fill:url(#g);stroke:#fff}\n.c{fill:blue}</style>' +
        '<defs><linearGradient id="g"><stop offset="0" stop-color="rgb(0, 0, 0)"/></linearGradient></defs>' +
        '<g style="opacity:.5"><path id="p" class="a" d="M0 0h9"/></g>' +
        '<use href="#p" x="2"/><text x="1">Hi <tspan>there</tspan></text></svg>\n',
    )
  })

  for (const [name, given, left = DOT] of [
    ['scripts', `<script>alert(1)</script><script href="https://x.example/a.js"/>${DOT}`],
    ['scripts in CDATA', `<script><![CDATA[alert(1)]]></script>${DOT}`],
    ['events', '<circle r="1" onclick="alert(1)" ONLOAD="alert(1)" onfocusin="alert(1)"/>'],
    [
      'embedded pages',
      `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="a()"/></foreignObject>${DOT}`,
    ],
    ['pages of other names', `<svg:foreignObject><b/></svg:foreignObject><h:script xmlns:h="urn:h">a</h:script>${DOT}`],
    ['links, but not what they hold', '<a href="javascript:alert(1)"><circle r="1"/></a>', `<g>${DOT}</g>`],
    ['animations', `<animate attributeName="href" to="javascript:a()"/><set attributeName="onclick" to="a()"/>${DOT}`],
    ['pictures of elsewhere', `<image href="https://x.example/p.png"/>${DOT}`, `<image/>${DOT}`],
    ['files', `<image xlink:href="file:///etc/passwd"/>${DOT}`, `<image/>${DOT}`],
    ['drawings within', `<image href="data:image/svg+xml;base64,PHN2Zy8+"/>${DOT}`, `<image/>${DOT}`],
    [
      'uses of elsewhere',
      `<use href="https://x.example/a.svg#a"/><use href="data:text/xml,a#b"/>${DOT}`,
      `<use/><use/>${DOT}`,
    ],
    ['addresses in attributes', '<circle r="1" fill="url(https://x.example/#a)" filter="url(x.svg#f)"/>'],
    ['addresses in styles', `<circle r="1" style="fill:url('//x.example/a');mask:image-set('a.png' 1x)"/>`],
    ['escapes in styles', String.raw`<circle r="1" style="fill:u\72l(https://x.example/a)"/>`],
    ['style sheets of elsewhere', `<?xml-stylesheet href="https://x.example/a.css"?>${DOT}`],
    ['imports', `<style>@import "https://x.example/a.css";</style>${DOT}`, `<style/>${DOT}`],
    ['fonts', `<style>@font-face{font-family:a;src:url(https://x.example/f)}</style>${DOT}`, `<style/>${DOT}`],
    ['ends of styles', `<style>.a{fill:red}&lt;/style>&lt;script></style>${DOT}`, `<style>.a{fill:red}</style>${DOT}`],
    ['filters of elsewhere', '<filter id="f"><feImage href="https://x.example/a"/></filter>', '<filter id="f"/>'],
  ] as const)
    test(`${name} are removed`, async () => {
      assert.equal(await redrawn(`<svg ${NS}>${given}</svg>`), drawing(left))
    })

  test('attribute quotes cannot be broken', async () => {
    const given = `<text aria-label='"&gt;&lt;script&gt;' lang="&quot; onload=&quot;a">&lt;script>&#0;&#11;</text>`
    const left =
      '<text aria-label="&quot;&gt;&lt;script&gt;" lang="&quot; onload=&quot;a">&lt;script&gt;\u{fffd}</text>'
    assert.equal(await redrawn(`<svg ${NS}>${given}</svg>`), drawing(left))
  })
})

const bomb = (of: string): string =>
  Array.from(
    { length: 12 },
    (_, level) => `<g id="l${level + 1}">${of.replaceAll('#', `#l${level}`).repeat(10)}</g>`,
  ).join('')

suite('a refused SVG', () => {
  for (const [name, text, words] of [
    ['with entities', `<!DOCTYPE svg [<!ENTITY a "b">]><svg ${NS}>&a;${DOT}</svg>`, /declares entities/],
    [
      'with an outer entity',
      `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg ${NS}><text>&a;</text></svg>`,
      /declares entities/,
    ],
    [
      'of uses that multiply',
      `<svg ${NS}><g id="l0">${DOT}</g>${bomb('<use href="#"/>')}</svg>`,
      /renders more than 200000/,
    ],
    [
      'of patterns that multiply',
      `<svg ${NS}><g id="l0">${DOT}</g>${bomb('<path style="fill:url(#)"/>')}</svg>`,
      /renders more than 200000/,
    ],
    [
      'of classes that multiply',
      `<svg ${NS}><style>${Array.from({ length: 12 }, (_, n) => `.l${n}{fill:url(#l${n})}`).join('')}</style><g id="l0">${DOT}</g>${bomb('<path class="#"/>').replaceAll('class="#', 'class="')}</svg>`,
      /renders more than 200000/,
    ],
    ['that uses itself', `<svg ${NS}><g id="a"><use href="#a"/></g></svg>`, /in a cycle/],
    ['nested without end', `<svg ${NS}>${'<g>'.repeat(5000)}${DOT}${'</g>'.repeat(5000)}</svg>`, /nested/],
    ['in another encoding', Buffer.from(`<svg ${NS}><title>\xe9</title></svg>`, 'latin1'), /UTF-8/],
    ['of nothing', `<svg ${NS}><script>a</script></svg>`, /empty/],
  ] as const)
    test(`an SVG ${name} is refused`, async () => {
      const { status, body } = await upload(text)
      assert.deepEqual([status, body.type], [400, 'urn:stentor:problem:unreadable-picture'])
      assert.match(body.detail, words)
    })

  test('a file whose first element is not svg is 415', async () => {
    for (const text of [`<html><svg ${NS}/></html>`, `<!-- <svg> --><p/>`, `<svgs/>`])
      assert.equal((await upload(text)).status, 415)
  })
})

suite('a message that contains an SVG', () => {
  /** What a test of a message finds in it, without looking further. */
  async function found(html: string) {
    const id = await action({ content: { subject: 'Ours', html: `<html><body>${html}</body></html>` } })
    const test = { fortest: true, mediaForTest: 'proof@desk.example' }
    assert.equal((await call('POST', `/actions/${id}/validation`, { body: test })).status, 204)
    await settle()
    const { state, informations } = await get(id)
    return { state, findings: informations.lastValidation.findings }
  }

  test('gets a finding at each SVG image, and none for links to one', async () => {
    const { address } = (await upload(drawing(DOT))).body
    const message = 'An image is an SVG, which mail clients do not show. Use a PNG, JPEG, GIF or WebP.'
    const at = (column: number) => ({ type: 'image-svg', message, part: 'html', position: { line: 1, column } })
    const image = `<img alt="" src="${address}">`
    const { state, findings } = await found(`${image}<p style="background: url('${address}')">A</p>`)
    assert.deepEqual(findings, [at(13), at(13 + image.length)])
    assert.equal(state, 38)
    const fine = await found(`<a href="${address}">A</a><img alt="" src="https://shop.example/svg.png?of=a.svg">`)
    assert.deepEqual(fine.findings, [])
  })
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'
import { callTool, connected, listening, problemOf } from './clients.ts'

const stage = await startStage()
const { own, other } = stage
const url = await listening(stage)
const client = await connected(url, { 'x-key': own.key })
const modern = await connected(url, { 'x-key': own.key }, { modern: true })
const rival = await connected(url, { 'x-key': other.key })

const DOCUMENTS = new URL('../../../docs/', import.meta.url)

/** The text of a resource. */
async function readText(of: typeof client, uri: string): Promise<string> {
  const { contents } = await of.readResource({ uri })
  const [content] = contents
  assert.ok(content && 'text' in content && contents.length === 1)
  assert.equal(content.uri, uri)
  return content.text
}

async function promptText(name: string, args: Record<string, string>): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: args })
  const [message] = messages
  assert.ok(message?.content.type === 'text' && messages.length === 1)
  assert.equal(message.role, 'user')
  return message.content.text
}

suite('MCP prompts', () => {
  test('the prompts are listed with their arguments, through both ways to connect', async () => {
    const { prompts } = await client.listPrompts()
    assert.deepEqual((await modern.listPrompts()).prompts, prompts)
    const listed = prompts.map(({ name, arguments: args = [] }) => [
      name,
      ...args.map((argument) => `${argument.name}${argument.required ? '' : '?'}`),
    ])
    assert.deepEqual(listed, [
      ['write_campaign', 'goal', 'channel?', 'segment?'],
      ['explain_report', 'id', 'kind?'],
      ['why_no_message', 'contact', 'id?', 'kind?'],
    ])
    for (const { arguments: args = [] } of prompts) for (const { description } of args) assert.ok(description)
  })

  test('a prompt contains its arguments, and names only tools that exist', async () => {
    const texts = [
      await promptText('write_campaign', { goal: 'spring sale', segment: '3' }),
      await promptText('write_campaign', { goal: 'spring sale' }),
      await promptText('explain_report', { id: '7', kind: 'rcs' }),
      await promptText('why_no_message', { contact: 'ann@reader.example', id: '0000AB' }),
      await promptText('why_no_message', { contact: 'ann@reader.example', id: ' ' }),
    ]
    assert.match(texts[0]!, /^Write a campaign by email\. Goal: spring sale\nSend it to the segment 3:/)
    assert.match(texts[2]!, /the message 7 \(kind rcs\)/)
    assert.match(texts[3]!, /the contact ann@reader\.example got no message: the message 0000AB \(kind message\)\./)
    assert.match(texts[4]!, /the contact ann@reader\.example got no message\.\n/)
    const tools = new Set((await client.listTools()).tools.map(({ name }) => name))
    const named = texts.flatMap((text) => text.match(/\b[a-z]+_[a-z_]+\b/g) ?? [])
    assert.ok(named.length > 20)
    assert.deepEqual(
      [...new Set(named)].filter((name) => !tools.has(name)),
      [],
    )
  })

  test('an unknown prompt, a missing argument and an unknown one are refused', async () => {
    await assert.rejects(client.getPrompt({ name: 'sell' }), /There is no prompt "sell"/)
    await assert.rejects(client.getPrompt({ name: 'write_campaign' }), /The argument "goal" is required/)
    await assert.rejects(
      client.getPrompt({ name: 'explain_report', arguments: { id: '1', name: 'x' } }),
      /There is no argument "name"/,
    )
  })
})

suite('MCP resources', () => {
  test('every page of the reference and the guides is listed and read as Markdown', async () => {
    const { resources } = await client.listResources()
    assert.deepEqual((await modern.listResources()).resources, resources)
    const pages = resources.filter(({ uri }) => uri.startsWith('stentor://docs/'))
    const files = ['reference', 'how-to'].flatMap((folder) =>
      readdirSync(new URL(folder, DOCUMENTS)).map((file) => `stentor://docs/${folder}/${file.replace('.md', '')}`),
    )
    assert.deepEqual(pages.map(({ uri }) => uri).sort(), files.sort())
    for (const { title, description, mimeType } of pages)
      assert.ok(title && description && mimeType === 'text/markdown')
    const text = readFileSync(new URL('reference/workflows.md', DOCUMENTS), 'utf8')
    assert.equal(await readText(client, 'stentor://docs/reference/workflows'), text)
    assert.equal((await callTool(client, 'read_reference', { page: 'workflows' })).value.text, text)
    assert.equal((await callTool(client, 'read_reference')).value.pages.length, pages.length)
  })

  test('no other file is read', async () => {
    for (const page of ['../package', 'reference/../../package', 'decisions/0001-dependencies', 'reference', '', '..'])
      assert.equal(problemOf(await callTool(client, 'read_reference', { page: page || ' ' })), 'not-found', page)
    for (const path of ['docs/../package.json', 'docs/%2e%2e/package', 'docs/decisions/README', 'docs', 'other', ''])
      await assert.rejects(client.readResource({ uri: `stentor://${path}` }), /not found/i, path)
    await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), /not found/i)
  })

  test('segments, the last campaigns and reports are read as data', async () => {
    const segment = await stage.segment([await stage.contact('ann@reader.example')], { name: 'Readers' })
    const scheduler = { type: 'asap', segments: { selected: [segment] } }
    for (let n = 0; n < 21; n++) {
      stage.clock.advance(1000)
      await stage.action({ type: 'mailCampaign', name: `Campaign ${n}`, scheduler })
    }
    const message = await stage.action()
    const { untrusted, data } = JSON.parse(await readText(client, 'stentor://segments'))
    assert.equal(untrusted, true)
    assert.deepEqual([data.length, data[0].name, data[0].targetsCount], [1, 'Readers', 1])
    assert.equal(JSON.parse(await readText(modern, `stentor://segments/${segment}`)).data.name, 'Readers')
    const campaigns = JSON.parse(await readText(client, 'stentor://campaigns')).data
    assert.deepEqual([campaigns.length, campaigns[0].name, campaigns[19].name], [20, 'Campaign 20', 'Campaign 1'])
    assert.deepEqual([campaigns[0].report.sent, campaigns[0].content], [0, undefined])
    const report = JSON.parse(await readText(client, `stentor://reports/message/${message}`)).data
    assert.equal(typeof report.at, 'string')
    const { resourceTemplates } = await client.listResourceTemplates()
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['stentor://docs/{folder}/{page}', 'stentor://segments/{id}', 'stentor://reports/{kind}/{id}'],
    )
  })

  test('ids of another account and kinds that do not exist are not found', async () => {
    const segment = await stage.segment([])
    for (const uri of [`segments/${segment}`, 'segments/..', 'segments/', 'reports/message/', 'reports/constructor/1'])
      await assert.rejects(rival.readResource({ uri: `stentor://${uri}` }), /not found/i, uri)
  })
})

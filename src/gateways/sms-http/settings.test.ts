import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../lib/errors/problem.ts'
import { readSmsHttpConfig } from './settings.ts'

const sound = { url: 'https://sms.example/send?to={{to}}', method: 'GET' }

function refusal(settings: object, secrets?: object): { pointer: string; detail: string } {
  try {
    readSmsHttpConfig(settings, secrets)
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.errors?.[0] ?? { pointer: '', detail: error.detail }
  }
  assert.fail('nothing was refused')
}

describe('settings of an HTTP SMS gateway', () => {
  it('require an address and have defaults for the rest', () => {
    const { settings, secrets } = readSmsHttpConfig(sound, undefined)
    assert.deepEqual(secrets, {})
    assert.deepEqual(settings.answer.deferredStatuses, [429, 503])
    assert.deepEqual([settings.hook.id, settings.hook.status, settings.concurrency], ['id', 'status', 8])
    assert.deepEqual(settings.encodings, { gsm7: 'gsm7', ucs2: 'ucs2' })
  })

  it('are refused with a pointer and the change to make', () => {
    const wrong: [object, object | undefined, string, RegExp][] = [
      [{}, undefined, '', /url/],
      [{ ...sound, url: 'ftp://sms.example/' }, undefined, '/url', /http or https/],
      [{ ...sound, url: 'https://a:b@sms.example/' }, undefined, '/url', /not contain credentials/],
      [{ ...sound, url: 'https://{{from}}.example/' }, undefined, '/url', /not have a placeholder in its host/],
      [
        { ...sound, url: 'https://{{ secret.key }}.example/' },
        { key: 'x' },
        '/url',
        /not have a placeholder in its host/,
      ],
      [
        { ...sound, url: 'https://sms.example:{{secret.key}}/' },
        { key: '1' },
        '/url',
        /must be an http or https address/,
      ],
      [{ ...sound, url: 'https://sms.example/{{too}}' }, undefined, '/url', /did you mean {{to}}/],
      [{ ...sound, url: 'https://sms.example/{{secret.ky}}' }, { key: 'x' }, '/url', /secret\.key/],
      [{ ...sound, body: 'x' }, undefined, '/body', /is not allowed with GET/],
      [{ url: sound.url, body: 'x' }, undefined, '/headers', /content-type/],
      [
        { url: sound.url, body: 'x', headers: { 'content-type': 'image/png' } },
        undefined,
        '/headers/content-type',
        /must be JSON/,
      ],
      [{ ...sound, headers: { Host: 'x' } }, undefined, '/headers/Host', /by the service itself/],
      [{ ...sound, headers: { 'a b': 'x' } }, undefined, '/headers', /./],
      [{ ...sound, headers: { a: 'x\r\ny' } }, undefined, '/headers/a', /./],
      [{ ...sound, answer: { error: { pattern: '(' } } }, undefined, '/answer/error/pattern', /missing closing/],
      [{ ...sound, answer: { reference: { pattern: '(a)\\1' } } }, undefined, '/answer/reference/pattern', /backref/],
      [{ ...sound, answer: { error: { pointer: 'x' } } }, undefined, '/answer/error', /./],
      [{ ...sound, answer: { eror: {} } }, undefined, '/answer', /./],
      [{ ...sound, hook: { statuses: { D: 'done' } } }, undefined, '/hook/statuses/D', /./],
      [sound, { username: 'x' }, '/secrets', /requires both username and password/],
      [sound, { 'a-b': 'x' }, '', /./],
    ]
    for (const [settings, secrets, pointer, detail] of wrong) {
      const found = refusal(settings, secrets)
      assert.ok(found.pointer.startsWith(pointer), `${JSON.stringify(settings)}: ${found.pointer}`)
      assert.match(found.detail, detail)
    }
  })
})

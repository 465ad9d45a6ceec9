import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../lib/errors/problem.ts'
import { parseSmtpUrl, readSmtpSecrets, readSmtpSettings } from './settings.ts'

const detailOf = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.detail
  }
  assert.fail('nothing was refused')
}

describe('SMTP settings', () => {
  it('are read from an address, with the secrets separated', () => {
    const { settings, secrets } = parseSmtpUrl(
      'smtp://shop%40a.example:p%3Ass%2F@relay.example:587?tls=required&connections=4&verify=no&finalMs=1000&name=mx.shop.example',
    )
    assert.deepEqual(secrets, { username: 'shop@a.example', password: 'p:ss/' })
    assert.deepEqual(
      settings,
      readSmtpSettings({
        host: 'relay.example',
        port: 587,
        tls: 'required',
        connections: 4,
        verify: false,
        finalMs: 1000,
        name: 'mx.shop.example',
      }),
    )
    assert.doesNotMatch(JSON.stringify(settings), /p:ss|shop@/)
  })

  it('have the usual ports and TLS modes by default', () => {
    const of = (url: string) => {
      const { port, tls, host } = parseSmtpUrl(url).settings
      return [host, port, tls]
    }
    assert.deepEqual(of('smtp://relay.example'), ['relay.example', 25, 'opportunistic'])
    assert.deepEqual(of('smtps://relay.example'), ['relay.example', 465, 'implicit'])
    assert.deepEqual(of('smtp://a:b@relay.example'), ['relay.example', 25, 'required'])
    assert.deepEqual(of('smtps://a:b@relay.example'), ['relay.example', 465, 'implicit'])
    assert.deepEqual(of('smtp://a:b@relay.example?tls=none'), ['relay.example', 25, 'none'])
    assert.deepEqual(of('smtp://[::1]:2525'), ['::1', 2525, 'opportunistic'])
  })

  it('are refused with the change to make and without the password', () => {
    const wrong: [string, RegExp][] = [
      ['relay.example', /must be like smtp:/],
      ['http://relay.example', /must be like smtp:/],
      ['smtp://', /must be like smtp:/],
      ['smtp://a:hunter2@relay.example/path', /not have a path/],
      ['smtp://a:hunter2@relay.example?conections=4', /did you mean connections/],
      ['smtp://a:hunter2@relay.example?tls=maybe', /tls/],
      ['smtp://a:hunter2@relay.example?connections=many', /connections/],
      ['smtp://a:hunter2@relay.example?connections=0', /connections/],
      ['smtp://relay.example?name=a%0d%0ab', /name/],
    ]
    for (const [url, pattern] of wrong) {
      const detail = detailOf(() => parseSmtpUrl(url))
      assert.match(detail, pattern)
      assert.doesNotMatch(detail, /hunter2/)
    }
  })

  it('are refused when the stored settings or secrets are invalid', () => {
    assert.match(
      detailOf(() => readSmtpSettings({})),
      /host/,
    )
    assert.match(
      detailOf(() => readSmtpSettings({ host: 'a', password: 'b' })),
      /password|additional/i,
    )
    assert.match(
      detailOf(() => readSmtpSecrets({ username: 'a' })),
      /password/,
    )
    assert.equal(readSmtpSecrets(null), undefined)
  })
})

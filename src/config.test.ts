import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ConfigError, readConfig, settingList } from './config.ts'

suite('configuration', () => {
  test('has a default for every setting', () => {
    const config = readConfig({})
    assert.equal(config.httpPort, 8080)
    assert.equal(config.databaseUrl, undefined)
    assert.match(config.dataDir, /^\/.*\/data$/)
  })

  test('refuses an unknown name and suggests the nearest known one', () => {
    assert.throws(
      () => readConfig({ STENTOR_HTP_PORT: '1' }),
      new ConfigError('STENTOR_HTP_PORT is not a setting. Did you mean STENTOR_HTTP_PORT?'),
    )
  })

  test('names the invalid variable and the change to make', () => {
    assert.throws(
      () => readConfig({ STENTOR_HTTP_PORT: 'eighty' }),
      /STENTOR_HTTP_PORT: "eighty" must be a whole number from 0 to 65535/,
    )
    assert.throws(() => readConfig({ STENTOR_MODE: 'prod' }), /must be one of development, production/)
    assert.throws(() => readConfig({ STENTOR_PUBLIC_URL: 'shop.example' }), /must be an http or https address/)
  })

  test('takes scopes of sign-ins in any spacing, and refuses them without openid or with other characters', () => {
    const provider = { STENTOR_OIDC_ISSUER: 'https://sign-in.shop.example', STENTOR_OIDC_CLIENT_ID: 'stentor' }
    const scopes = (text: string) => readConfig({ ...provider, STENTOR_OIDC_SCOPES: text }).oidc?.scopes
    assert.equal(scopes(''), 'openid email profile')
    assert.equal(scopes(' openid  email groups\temail'), 'openid email groups')
    for (const text of ['email groups', 'openid,groups', 'openid "groups"', 'openid grüppen'])
      assert.throws(() => scopes(text), /STENTOR_OIDC_SCOPES: .* must be scopes separated by spaces, with openid/)
  })

  test('uses the default for an empty value and removes the final slash of a public address', () => {
    assert.equal(readConfig({ STENTOR_HTTP_PORT: '' }).httpPort, 8080)
    assert.equal(
      readConfig({ STENTOR_PUBLIC_URL: 'https://mail.shop.example/' }).publicUrl,
      'https://mail.shop.example',
    )
  })

  test('lists each setting with its default', () => {
    const { fallback } = settingList().find(({ name }) => name === 'STENTOR_DATA_DIR')!
    assert.equal(fallback, 'data')
  })
})

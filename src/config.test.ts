import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'
import { listSettings } from './settings.ts'

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

  test('names all variables that are wrong at once, one a line', () => {
    const wrong = {
      STENTOR_HTP_PORT: '1',
      STENTOR_HTTP_PORT: 'eighty',
      STENTOR_OIDC_ISSUER: 'https://sign-in.shop.example',
    }
    assert.throws(
      () => readConfig(wrong),
      ({ message }: Error) => {
        assert.deepEqual(
          message.split('\n').map((line) => line.split(/[: ]/, 1)[0]),
          ['STENTOR_HTP_PORT', 'STENTOR_OIDC_ISSUER', 'STENTOR_HTTP_PORT'],
        )
        return true
      },
    )
  })

  test('refuses ways to use TLS that libpq does not know, or that lack a file', () => {
    const refused = (query: string, reason: RegExp) =>
      assert.throws(
        () => readConfig({ STENTOR_DATABASE_URL: `postgres://a:secret@db.shop.example/a?${query}` }),
        reason,
      )
    refused('sslmode=no-verify', /its value has the sslmode no-verify, which must be one of disable, allow, prefer, /)
    refused('sslmode=verify-ca', /its value has sslmode=verify-ca, which requires sslrootcert\.$/)
    refused('sslmode=require&sslrootcert=system', /has sslrootcert=system, which requires sslmode=verify-full/)
    refused('sslmode=require&sslkey=key.pem', /has only one of sslcert and sslkey/)
  })

  test('refuses what is no address of a database, without repeating it, and what is no proxy', () => {
    for (const url of ['mysql://account:secret@db.shop.example/a', 'db.shop.example', 'postgres://a:secret@['])
      assert.throws(
        () => readConfig({ STENTOR_DATABASE_URL: url }),
        /^Error: STENTOR_DATABASE_URL: its value must be an address such as postgres:\/\/account:password@host:5432\/database\.$/,
      )
    const proxies = (list: string) => readConfig({ STENTOR_TRUSTED_PROXIES: list }).trustedProxies
    for (const list of ['10.0.0.1', '10.0.0.0/8, 192.168.1.4', '10.0.0.0/255.0.0.0', 'loopback', '2001:db8::/32'])
      assert.equal(proxies(list), list)
    for (const list of ['10.0.0.0/33', 'proxy.shop.example', '10.0.0.1,', '10.0.0', '2001:db8::/129', '10.0.0.0/8/8'])
      assert.throws(() => proxies(list), /STENTOR_TRUSTED_PROXIES: ".*" must be addresses or ranges/)
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
    const { fallback } = listSettings().find(({ name }) => name === 'STENTOR_DATA_DIR')!
    assert.equal(fallback, 'data')
  })
})

import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import { findFreePort } from '../../../src/lib/net/free-port.ts'

/** The claims of the person who signs in at the provider. */
export interface Claims {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
  amr?: string[]
  /** Claims of Microsoft Entra. */
  xms_edov?: unknown
  verified_primary_email?: string[]
  _claim_names?: object
  /** Claims of Keycloak. */
  realm_access?: { roles: string[] }
}

export interface OidcPeer {
  issuer: string
  /** Who is in front of the next browser. */
  who: Claims
  /** Signs in at the provider: follows its pages from an address of it, and gives the address it leads back to. */
  follow(start: string): Promise<URL>
  close(): Promise<void>
}

export const CLIENT = { id: 'stentor', secret: 'a secret of the client, for tests alone' }

/** A real OpenID provider (the package `oidc-provider`) that asks nobody anything. */
export async function startOidcPeer(redirectUri: string): Promise<OidcPeer> {
  const port = await findFreePort('localhost')
  const issuer = `http://localhost:${port}`
  const people = new Map<string, Claims>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: {
      openid: ['sub', 'groups', 'amr', '_claim_names'],
      email: ['email', 'email_verified', 'xms_edov', 'verified_primary_email'],
      profile: ['name'],
      roles: ['realm_access'],
    },
    jwks: {
      keys: [
        { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), kid: 'test' },
      ],
    },
    conformIdTokenClaims: false,
    cookies: { keys: ['for tests alone'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
  })
  const peer: OidcPeer = { issuer, who: { sub: 'nobody' }, follow, close }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login') {
      people.set(peer.who.sub, peer.who)
      await provider.interactionFinished(request, response, { login: { accountId: peer.who.sub, amr: peer.who.amr } })
      return
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: params.client_id })
    grant.addOIDCScope(params.scope)
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  const callback = provider.callback()
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    interact(request, response).catch((error) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))

  async function follow(start: string): Promise<URL> {
    const cookies = new Map<string, string>()
    for (let url = new URL(start); ; ) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
      const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      const to = answer.headers.get('location')
      if (to === null) throw new Error(`the provider answers ${answer.status}: ${await answer.text()}`)
      url = new URL(to, url)
      if (url.origin !== issuer) return url
    }
  }

  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return peer
}

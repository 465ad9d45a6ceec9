import { createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto'

const RCS_SCOPE = 'https://www.googleapis.com/auth/rcsbusinessmessaging'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** A service account as its JSON file has it. */
export interface ServiceAccountFile {
  type: 'service_account'
  project_id: string
  private_key_id: string
  private_key: string
  client_email: string
  token_uri: string
}

/** A service account that no one else has; its key has 2048 bits. */
export function makeServiceAccount(email = 'sender@project.iam.example', bits = 2048): ServiceAccountFile {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return {
    type: 'service_account',
    project_id: 'project',
    private_key_id: randomBytes(20).toString('hex'),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    client_email: email,
    token_uri: 'https://oauth2.googleapis.com/token',
  }
}

/** What was asked of the token endpoint: its status, and the error code when it was refused. */
export interface TokenRequest {
  status: number
  error: string | undefined
  /** What was wrong, for the one who reads a failed test. */
  why: string | undefined
}

export interface TokenEndpoint {
  requests: TokenRequest[]
  /** Seconds that tokens live. */
  lifetime: number
  /** The tokens given until now are refused from now on. */
  revokeTokens(): void
  isValid(authorization: string | undefined): boolean
  answer(body: string, contentType: string | undefined): { status: number; body: object }
}

function parsePart(part: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Why an assertion is none; undefined: it is right. */
function assertionFault(
  assertion: string,
  account: ServiceAccountFile,
  expected: { audience: string; scope: string; now: number },
): string | undefined {
  const [head, claims, signature, ...more] = assertion.split('.')
  if (head === undefined || claims === undefined || signature === undefined || more.length > 0) return 'is no JWT'
  const { alg, typ, kid } = parsePart(head)
  if (alg !== 'RS256' || typ !== 'JWT') return 'must be a JWT with RS256'
  if (kid !== account.private_key_id) return 'names another key'
  const key = createPublicKey(account.private_key)
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
    return 'is signed wrongly'
  const { iss, scope, aud, iat, exp } = parsePart(claims)
  if (iss !== account.client_email) return 'has another issuer'
  if (scope !== expected.scope) return 'asks for another scope'
  if (aud !== expected.audience) return `has another audience: ${String(aud)}`
  if (!Number.isInteger(iat) || !Number.isInteger(exp)) return 'must have iat and exp in whole seconds'
  if ((iat as number) > expected.now / 1000 + 60 || (exp as number) <= expected.now / 1000) return 'is not of this time'
  return (exp as number) - (iat as number) > 3600 ? 'lives longer than an hour' : undefined
}

/** Gives bearer tokens for assertions of RFC 7523 of the one account. `audience`: as the address of the endpoint is then. */
export function openTokenEndpoint(
  account: ServiceAccountFile,
  audience: () => string,
  scope = RCS_SCOPE,
  now: () => number = Date.now,
): TokenEndpoint {
  let valid = new Map<string, number>()
  const requests: TokenRequest[] = []
  const endpoint: TokenEndpoint = {
    requests,
    lifetime: 3600,
    revokeTokens() {
      valid = new Map()
    },
    isValid(authorization) {
      const until = valid.get(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '')
      return until !== undefined && until > now()
    },
    answer(body, contentType) {
      const refuse = (error: string, why: string) => {
        requests.push({ status: 400, error, why })
        return { status: 400, body: { error, error_description: why } }
      }
      if (contentType !== 'application/x-www-form-urlencoded') return refuse('invalid_request', 'is no form')
      const form = new URLSearchParams(body)
      if (form.get('grant_type') !== GRANT_TYPE) return refuse('unsupported_grant_type', 'has another grant type')
      const fault = assertionFault(form.get('assertion') ?? '', account, { audience: audience(), scope, now: now() })
      if (fault !== undefined) return refuse('invalid_grant', fault)
      const token = `ya29.${randomBytes(24).toString('base64url')}`
      valid.set(token, now() + endpoint.lifetime * 1000)
      requests.push({ status: 200, error: undefined, why: undefined })
      return { status: 200, body: { access_token: token, expires_in: endpoint.lifetime, token_type: 'Bearer' } }
    },
  }
  return endpoint
}

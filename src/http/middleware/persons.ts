import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { type AccessRight, accessRights, type RequestUser, rightsByMemberRole } from '../../lib/account.ts'
import { badRequestProblem, Problem } from '../../lib/errors/problem.ts'
import type { PublicSite } from '../../lib/net/site.ts'
import type { SessionAccount, SessionStore, UserSession } from '../../lib/sessions.ts'
import { readSiteCookie, requireSameSite, requireSiteHost } from './site.ts'

/** The dependencies for admitting requests of people. */
export interface SessionAdmission {
  site: PublicSite
  sessions: SessionStore
  /** Spends one request of the person. */
  spend(reply: FastifyReply, person: string, rate: Pick<SessionAccount, 'ratePerSecond' | 'rateBurst'>): void
}

/** The rate limit for requests that name no account. */
const DEFAULT_RATE = { ratePerSecond: 50, rateBurst: 200 }

function isReadRequest({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The account that a request names: by X-Account, or in the query of what cannot set headers. */
function readNamedAccount(request: FastifyRequest): string | undefined {
  const accountHeader = request.headers['x-account']
  const query = isReadRequest(request) ? (request.query as Record<string, unknown>)['account'] : undefined
  const namedCodes = [accountHeader, query]
    .flat()
    .filter((value): value is string => typeof value === 'string' && value !== '')
  const distinctCodes = new Set(namedCodes.map((code) => code.toUpperCase()))
  if (distinctCodes.size > 1) throw badRequestProblem('account', 'names another account than X-Account')
  return [...distinctCodes][0]
}

function createAccountMissingProblem(): Problem {
  return new Problem(
    400,
    'account-missing',
    'Specify the account in the header X-Account: you belong to none, or to several.',
  )
}

async function findSessionAccount(session: UserSession, code: string, sessions: SessionStore): Promise<SessionAccount> {
  const ownAccount = session.places.find((place) => place.code === code)
  const place = ownAccount ?? (session.operator ? await sessions.account(code) : undefined)
  if (place) return place
  // The same whether there is such an account or not.
  throw new Problem(403, 'not-a-member', `You are not a member of the account ${code.slice(0, 20)}.`)
}

/** The account of a request; undefined where it needs none. */
async function resolveAccount(
  request: FastifyRequest,
  session: UserSession,
  sessions: SessionStore,
): Promise<SessionAccount | undefined> {
  const config: FastifyContextConfig = request.routeOptions.config ?? {}
  // An operator's operation that asks for a right is about an account.
  const isOfInstallation = config.operator === true && config.right === undefined
  if (request.is404 || config.session === 'own' || isOfInstallation) return undefined
  const code = readNamedAccount(request)
  if (code !== undefined) return findSessionAccount(session, code, sessions)
  if (config.account === 'installation' && session.operator) return undefined
  const [onlyAccount, ...otherAccounts] = session.places
  if (onlyAccount && otherAccounts.length === 0) return onlyAccount
  if (config.account === 'optional') return undefined
  throw createAccountMissingProblem()
}

/** The rights of a person in an account, or without one. There are none if the account requires a second factor that is missing. */
export function resolveSessionRights(
  session: UserSession,
  sessionAccount: SessionAccount | undefined,
): readonly AccessRight[] {
  if (sessionAccount?.requireSecondFactor && !session.hasSecondFactor) return []
  if (session.operator) return accessRights
  return sessionAccount?.role ? rightsByMemberRole[sessionAccount.role] : []
}

/** The person as handlers see it. */
export function toRequestUser(session: UserSession, sessionAccount: SessionAccount | undefined): RequestUser {
  const { id, person, name, email, operator, confirmedAt, hasSecondFactor } = session
  return {
    id: person,
    name,
    email,
    operator,
    session: id,
    confirmedAt,
    hasSecondFactor,
    role: sessionAccount?.role ?? null,
    masked: !operator && sessionAccount?.masks === true && sessionAccount.role === 'viewer',
    approval: sessionAccount?.approval ?? false,
  }
}

/** Why a person may do nothing in the account of a code. */
export function secondFactorProblem(code: string): Problem {
  return new Problem(
    403,
    'second-factor-required',
    `The account ${code} requires a second factor. Add one, or sign in with yours.`,
  )
}

function requireRights(
  config: FastifyContextConfig,
  session: UserSession,
  sessionAccount: SessionAccount | undefined,
): readonly AccessRight[] {
  const grantedRights = resolveSessionRights(session, sessionAccount)
  if (config.operator && !session.operator)
    throw new Problem(403, 'operator-required', 'Only operators of the installation can do this.')
  const sufficient = [config.rightOfPeople ?? config.right ?? []].flat()
  if (sufficient.length === 0 || sufficient.some((right) => grantedRights.includes(right))) return grantedRights
  if (sessionAccount?.requireSecondFactor && !session.hasSecondFactor) throw secondFactorProblem(sessionAccount.code)
  throw new Problem(403, 'right-missing', `Your role lacks the right "${sufficient.join('" or "')}".`)
}

/** Admits a request with the cookie of a session: sets whose it is. False where there is no such cookie, or no such session. */
export async function admitSessionUser(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, sessions, spend }: SessionAdmission,
): Promise<boolean> {
  const sessionToken = readSiteCookie(request, site, 'session')
  if (sessionToken === undefined) return false
  requireSiteHost(request, site)
  const config: FastifyContextConfig = request.routeOptions.config ?? {}
  if (!isReadRequest(request) || config.starts) requireSameSite(request, site)
  const session = await sessions.find(sessionToken)
  if (!session) return false
  // Requests that are refused from here on are recorded under this person.
  request.actor = { type: 'person', id: session.person, name: session.name }
  const sessionAccount = await resolveAccount(request, session, sessions)
  request.account = sessionAccount?.account ?? 0
  spend(reply, session.person, sessionAccount ?? DEFAULT_RATE)
  request.rights = requireRights(config, session, sessionAccount)
  request.person = toRequestUser(session, sessionAccount)
  return true
}

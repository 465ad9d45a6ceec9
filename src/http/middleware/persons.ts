import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { type AccessRight, accessRights, type RequestUser, rightsByMemberRole } from '../../lib/account.ts'
import { badRequestProblem, Problem } from '../../lib/errors/problem.ts'
import type { PublicSite } from '../../lib/net/site.ts'
import type { SessionAccount, SessionStore, UserSession } from '../../lib/sessions.ts'
import { readSiteCookie, requireSameSite, requireSiteHost } from './site.ts'

/** What requests of people are judged by. */
export interface SessionAdmission {
  site: PublicSite
  sessions: SessionStore
  /** Spends one request of the person. */
  spend(reply: FastifyReply, person: string, rate: Pick<SessionAccount, 'ratePerSecond' | 'rateBurst'>): void
}

/** Of requests that name no account. */
const DEFAULT_RATE = { ratePerSecond: 50, rateBurst: 200 }

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The account that a request names: by X-Account, or in the query of what cannot set headers. */
function namedAccount(request: FastifyRequest): string | undefined {
  const header = request.headers['x-account']
  const query = isRead(request) ? (request.query as Record<string, unknown>)['account'] : undefined
  const given = [header, query].flat().filter((value): value is string => typeof value === 'string' && value !== '')
  const codes = new Set(given.map((code) => code.toUpperCase()))
  if (codes.size > 1) throw badRequestProblem('account', 'names another account than X-Account')
  return [...codes][0]
}

function accountMissing(): Problem {
  return new Problem(
    400,
    'account-missing',
    'Name the account in the header X-Account: you work in none, or in several.',
  )
}

async function placeNamed(session: UserSession, code: string, sessions: SessionStore): Promise<SessionAccount> {
  const own = session.places.find((place) => place.code === code)
  const place = own ?? (session.operator ? await sessions.account(code) : undefined)
  if (place) return place
  // The same whether there is such an account or not.
  throw new Problem(403, 'not-a-member', `You are no member of the account ${code.slice(0, 20)}.`)
}

/** The account of a request; undefined where it needs none. */
async function placeOf(
  request: FastifyRequest,
  session: UserSession,
  sessions: SessionStore,
): Promise<SessionAccount | undefined> {
  const config: FastifyContextConfig = request.routeOptions.config ?? {}
  // An operator's operation that asks for a right is about an account.
  const isOfInstallation = config.operator === true && config.right === undefined
  if (request.is404 || config.session === 'own' || isOfInstallation) return undefined
  const code = namedAccount(request)
  if (code !== undefined) return placeNamed(session, code, sessions)
  if (config.account === 'installation' && session.operator) return undefined
  const [only, ...others] = session.places
  if (only && others.length === 0) return only
  if (config.account === 'optional') return undefined
  throw accountMissing()
}

/** What a person may do in an account, or without one: without a second factor that the account asks for, nothing. */
export function resolveSessionRights(session: UserSession, place: SessionAccount | undefined): readonly AccessRight[] {
  if (place?.requireSecondFactor && !session.hasSecondFactor) return []
  if (session.operator) return accessRights
  return place?.role ? rightsByMemberRole[place.role] : []
}

/** The person as handlers see it. */
export function toRequestUser(session: UserSession, place: SessionAccount | undefined): RequestUser {
  const { id, person, name, email, operator, confirmedAt, hasSecondFactor } = session
  return {
    ...{ id: person, name, email, operator, session: id, confirmedAt, hasSecondFactor },
    role: place?.role ?? null,
    masked: !operator && place?.masks === true && place.role === 'viewer',
    approval: place?.approval ?? false,
  }
}

/** Why a person may do nothing in the account of a code. */
export function secondFactorProblem(code: string): Problem {
  return new Problem(
    403,
    'second-factor-required',
    `The account ${code} asks for a second factor: add one, or sign in with yours.`,
  )
}

function requireRights(
  config: FastifyContextConfig,
  session: UserSession,
  place: SessionAccount | undefined,
): readonly AccessRight[] {
  const granted = resolveSessionRights(session, place)
  if (config.operator && !session.operator)
    throw new Problem(403, 'operator-required', 'Operators of the installation may do this.')
  const sufficient = [config.rightOfPeople ?? config.right ?? []].flat()
  if (sufficient.length === 0 || sufficient.some((right) => granted.includes(right))) return granted
  if (place?.requireSecondFactor && !session.hasSecondFactor) throw secondFactorProblem(place.code)
  throw new Problem(403, 'right-missing', `Your role lacks the right "${sufficient.join('" or "')}".`)
}

/** Admits a request with the cookie of a session: sets whose it is. False where there is no such cookie, or no such session. */
export async function admitSessionUser(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, sessions, spend }: SessionAdmission,
): Promise<boolean> {
  const token = readSiteCookie(request, site, 'session')
  if (token === undefined) return false
  requireSiteHost(request, site)
  const config: FastifyContextConfig = request.routeOptions.config ?? {}
  if (!isRead(request) || config.starts) requireSameSite(request, site)
  const session = await sessions.find(token)
  if (!session) return false
  // What is refused from here on is told of this person.
  request.actor = { type: 'person', id: session.person, name: session.name }
  const place = await placeOf(request, session, sessions)
  request.account = place?.account ?? 0
  spend(reply, session.person, place ?? DEFAULT_RATE)
  request.rights = requireRights(config, session, place)
  request.person = toRequestUser(session, place)
  return true
}

import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { checkPrecondition } from '../../http/middleware/conditional.ts'
import { lookOf, told } from '../../http/resource/audit.ts'
import { badRequest, notFound, Problem } from '../../lib/errors/problem.ts'
import { DnsUnavailable, openDns } from '../../lib/net/dns.ts'
import { readDomainName } from '../../lib/net/domain-name.ts'
import { listSendingDomains, readSendingDomain } from './domain-documents.ts'
import { DomainBody, ListedDomain, SendingDomain } from './domain-schemas.ts'
import { verifyDomain } from './domain-verification.ts'
import { addDomain, lockDomain, removeDomain } from './domains.ts'

const tags = ['domains']
const Params = Type.Object({ name: Type.String() })
/** Domains are the account's, but what is sent from them is signed by the installation: its operators write them. */
const written = { right: 'admin', operator: true, audit: { object: 'domain', id: 'name' } } as const

function nameIn({ name }: { name: string }): string {
  const domain = readDomainName(name)
  if (domain === undefined) throw notFound('domain', name)
  return domain
}

/** Says that no name server answered, and that nothing was changed. */
function unanswered(error: unknown): never {
  if (!(error instanceof DnsUnavailable)) throw error
  throw new Problem(503, 'dns-unavailable', `${error.message}. Nothing was changed; try again.`, {
    headers: { 'retry-after': '10' },
    cause: error,
  })
}

function readRoutes(app: App, { db, config }: Context): void {
  app.get('/domains', {
    config: { right: 'read' },
    schema: { tags, summary: 'list the domains to send from', response: { 200: Type.Array(ListedDomain) } },
    handler: ({ account }) => listSendingDomains(db, account),
  })
  app.get('/domains/:name', {
    config: { right: 'read', etag: true },
    schema: {
      tags,
      summary: 'read a domain, what it has to publish, and what was found of that',
      params: Params,
      response: { 200: SendingDomain },
    },
    handler: ({ account, params }) => readSendingDomain(db, account, nameIn(params), config.publicUrl),
  })
}

function checkRoute(app: App, { db, clock, config }: Context): void {
  const { publicUrl } = config
  app.post('/domains/:name/check', {
    config: written,
    schema: {
      tags,
      summary: 'look for the records of a domain',
      description: 'It is verified when the records of the keys that sign are found; keys that wait sign from then on.',
      params: Params,
      response: { 200: SendingDomain },
    },
    handler: async (request) => {
      const { account, params } = request
      const domain = nameIn(params)
      const look = lookOf((tx) => readSendingDomain(tx, account, domain, publicUrl))
      const dns = openDns(config.dnsServers)
      await inTransaction(told(request, db, look), (tx) =>
        verifyDomain({ db: tx, dns, publicUrl }, account, domain, new Date(clock.now())),
      ).catch(unanswered)
      return readSendingDomain(db, account, domain, publicUrl)
    },
  })
}

/** The domains that an account sends from, and the records that they need. */
export function domainRoutes(app: App, context: Context): void {
  const { db, clock, config, masterKeys } = context
  const { publicUrl } = config
  const now = (): Date => new Date(clock.now())
  readRoutes(app, context)
  checkRoute(app, context)
  app.post('/domains', {
    config: written,
    schema: {
      tags,
      summary: 'add a domain to send from, or make it the default one',
      body: DomainBody,
      response: { 200: SendingDomain },
    },
    handler: async (request) => {
      const { account, body } = request
      const domain = readDomainName(body.name)
      if (domain === undefined) throw badRequest('/name', 'must be a domain name such as mail.shop.example')
      const added = { domain, isDefault: body.default ?? false, verifiedAt: null, now: now() }
      const look = { ...lookOf((tx) => readSendingDomain(tx, account, domain, publicUrl)), id: domain }
      await addDomain({ db: told(request, db, look), masterKeys }, account, added)
      return readSendingDomain(db, account, domain, publicUrl)
    },
  })
  app.delete('/domains/:name', {
    config: written,
    schema: { tags, summary: 'remove a domain with its keys', params: Params, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const { account, params } = request
      const domain = nameIn(params)
      const look = { before: (tx: Db) => readSendingDomain(tx, account, domain, publicUrl) }
      await inTransaction(told(request, db, look), async (tx) => {
        await lockDomain(tx, account, domain)
        await checkPrecondition(request, reply, SendingDomain, () => readSendingDomain(tx, account, domain, publicUrl))
        await removeDomain(tx, account, domain)
      })
      return reply.code(204).send(null)
    },
  })
}

import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { DnsUnavailable, openDns } from '../../lib/dns.ts'
import { readDomainName } from '../../lib/domain-name.ts'
import { badRequest, notFound, Problem } from '../../lib/problem.ts'
import { listSendingDomains, readSendingDomain } from './domain-documents.ts'
import { DomainBody, ListedDomain, SendingDomain } from './domain-schemas.ts'
import { verifyDomain } from './domain-verification.ts'
import { addDomain, removeDomain } from './domains.ts'

const tags = ['domains']
const Params = Type.Object({ name: Type.String() })
/** Domains are the account's, but what is sent from them is signed by the installation: its operators write them. */
const written = { right: 'admin', operator: true } as const

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

/** The domains that an account sends from, and the records that they need. */
export function domainRoutes(app: App, context: Context): void {
  const { db, clock, config, masterKeys } = context
  const { publicUrl } = config
  const now = (): Date => new Date(clock.now())
  readRoutes(app, context)
  app.post('/domains', {
    config: written,
    schema: {
      tags,
      summary: 'add a domain to send from, or make it the default one',
      body: DomainBody,
      response: { 200: SendingDomain },
    },
    handler: async ({ account, body }) => {
      const domain = readDomainName(body.name)
      if (domain === undefined) throw badRequest('/name', 'must be a domain name such as mail.shop.example')
      const added = { domain, isDefault: body.default ?? false, verifiedAt: null, now: now() }
      await addDomain({ db, masterKeys }, account, added)
      return readSendingDomain(db, account, domain, publicUrl)
    },
  })
  app.delete('/domains/:name', {
    config: written,
    schema: { tags, summary: 'remove a domain with its keys', params: Params, response: { 204: Type.Null() } },
    handler: async ({ account, params }, reply) => {
      await removeDomain(db, account, nameIn(params))
      return reply.code(204).send(null)
    },
  })
  app.post('/domains/:name/check', {
    config: written,
    schema: {
      tags,
      summary: 'look for the records of a domain',
      description: 'It is verified when the records of the keys that sign are found; keys that wait sign from then on.',
      params: Params,
      response: { 200: SendingDomain },
    },
    handler: async ({ account, params }) => {
      const domain = nameIn(params)
      const dns = openDns(config.dnsServers)
      await verifyDomain({ db, dns, publicUrl }, account, domain, now()).catch(unanswered)
      return readSendingDomain(db, account, domain, publicUrl)
    },
  })
}

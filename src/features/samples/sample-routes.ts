import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { type Audited, told } from '../../http/resource/audit.ts'
import type { Ports } from '../contacts/records/ports.ts'
import { Samples } from './sample-schemas.ts'
import { createSamples, deleteSamples, readSamples } from './samples.ts'

const tags = ['samples']
const audit: Audited = { object: 'samples', id: null }
const PATH = '/samples'

/** Data to try things with. */
export function sampleRoutes(app: App, { db, clock, masterKeys }: Context, ports: Ports): void {
  const writing = { clock, masterKeys, ports }
  app.get(PATH, {
    config: { right: 'read' },
    schema: { tags, summary: 'read what sample data there is', response: { 200: Samples } },
    handler: ({ account }) => readSamples(db, account),
  })
  app.post(PATH, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'make sample data',
      description: 'Fields, contacts, segments and a campaign that is not sent; each is marked by its name.',
      response: { 200: Samples },
    },
    handler: (request) =>
      createSamples(told(request, db, { after: (_, made) => made as Samples }), request.account, writing),
  })
  app.delete(PATH, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'take the sample data away, whole',
      description: 'What was made beside it stays; what uses it is named, and then nothing is deleted.',
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { account } = request
      await deleteSamples(told(request, db, { before: (tx) => readSamples(tx, account) }), account, writing)
      return reply.code(204).send(null)
    },
  })
}

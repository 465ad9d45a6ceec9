import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import type { Ports } from '../contacts/ports.ts'
import { Samples } from './sample-schemas.ts'
import { createSamples, deleteSamples, readSamples } from './samples.ts'

const tags = ['samples']
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
    config: { right: 'admin' },
    schema: {
      tags,
      summary: 'make sample data',
      description: 'Fields, contacts, segments and a campaign that is not sent; each is marked by its name.',
      response: { 200: Samples },
    },
    handler: ({ account }) => createSamples(db, account, writing),
  })
  app.delete(PATH, {
    config: { right: 'admin' },
    schema: {
      tags,
      summary: 'take the sample data away, whole',
      description: 'What was made beside it stays; what uses it is named, and then nothing is deleted.',
      response: { 204: Type.Null() },
    },
    handler: async ({ account }, reply) => {
      await deleteSamples(db, account, writing)
      return reply.code(204).send(null)
    },
  })
}

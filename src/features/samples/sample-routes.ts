import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { type AuditObjectRule, createAuditedDb } from '../../http/resource/audit-requests.ts'
import type { ContactPorts } from '../contacts/records/ports.ts'
import { SampleDataResource } from './sample-schemas.ts'
import { createSampleData, deleteSampleData, readSampleData } from './samples.ts'

const tags = ['samples']
const audit: AuditObjectRule = { object: 'samples', id: null }
const SAMPLES_PATH = '/samples'

/** Data to try things with. */
export function sampleRoutes(app: HttpApp, { db, clock, masterKeys }: ServiceContext, ports: ContactPorts): void {
  const writeContext = { clock, masterKeys, ports }
  app.get(SAMPLES_PATH, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'read what sample data there is',
      refusals: { 404: 'not-found' },
      response: { 200: SampleDataResource },
    },
    handler: ({ account }) => readSampleData(db, account),
  })
  app.post(SAMPLES_PATH, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'make sample data',
      operationId: 'createSamples',
      refusals: { 409: 'samples-present samples-unfit' },
      description: 'Fields, contacts, segments and a campaign that is not sent; each is marked by its name.',
      response: { 200: SampleDataResource },
    },
    handler: (request) =>
      createSampleData(
        createAuditedDb(request, db, { after: (_, createdSamples) => createdSamples as SampleDataResource }),
        request.account,
        writeContext,
      ),
  })
  app.delete(SAMPLES_PATH, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'take the sample data away, whole',
      refusals: { 409: 'field-linked' },
      description: 'What was made beside it stays; what uses it is named, and then nothing is deleted.',
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { account } = request
      await deleteSampleData(
        createAuditedDb(request, db, { before: (tx) => readSampleData(tx, account) }),
        account,
        writeContext,
      )
      return reply.code(204).send(null)
    },
  })
}

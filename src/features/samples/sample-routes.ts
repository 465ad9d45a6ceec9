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
      summary: 'Get the sample data',
      description: 'Returns the IDs of the sample data of the account. An account without sample data is 404.',
      refusals: { 404: 'not-found' },
      response: { 200: SampleDataResource },
    },
    handler: ({ account }) => readSampleData(db, account),
  })
  app.post(SAMPLES_PATH, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'Create the sample data',
      operationId: 'createSamples',
      refusals: { 409: 'samples-present samples-unfit' },
      description:
        'Creates sample fields, contacts, segments and a campaign that is not sent, all marked by their names, and returns their IDs. Refused with 409 if the account has sample data already, or if an email field is not its only unicity field.',
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
      summary: 'Delete the sample data',
      refusals: { 409: 'field-linked' },
      description:
        'Deletes the sample data and erases the sample contacts. If something else uses a sample field or segment, the answer is 409 and nothing is deleted.',
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

import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { createAuditedDb, recordStandaloneAudit } from '../../../http/resource/audit-requests.ts'
import { isAsyncPreferred, sendAcceptedJob } from '../../../http/resource/prefer.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { JobResource } from '../../jobs/job-schemas.ts'
import { segmentChangeRefusals } from '../segment-schemas.ts'
import { normalizeSegmentPhones, queuePhoneNormalization } from './normalization.ts'
import { NormalizationBody, NormalizationCounts } from './normalization-schemas.ts'

/** Telephone numbers of a segment, brought to their international form. */
export function normalizationRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  app.post('/segments/:id/normalization', {
    config: { right: 'write', audit: { object: 'segment' } },
    schema: {
      tags: ['segments'],
      summary: 'Normalize the phone numbers of a segment',
      refusals: segmentChangeRefusals,
      description:
        'Converts the phone numbers of the members to E.164 and returns counts; the first country that ' +
        'gives a valid number is used. Values that are valid in no country, or whose contact would get the ' +
        'unicity of another one, stay as they are. For more than 10,000 contacts, or with `Prefer: ' +
        'respond-async`, the answer is 202 with a job. Repeating it is harmless.',
      params: Type.Object({ id: Type.String() }),
      body: NormalizationBody,
      response: { 200: NormalizationCounts, 202: JobResource },
    },
    handler: async (request, reply) => {
      const { account, body, params } = request
      const id = parseInt32Id(params.id)
      if (id === undefined) throw notFoundProblem('segment', params.id)
      const normalizationOrder = { segment: id, body: body ?? {} }
      const auditDetails = { fields: normalizationOrder.body.fields ?? null }
      const auditedDb = createAuditedDb(request, db, { said: auditDetails })
      const counts = isAsyncPreferred(request)
        ? undefined
        : await normalizeSegmentPhones(auditedDb, account, normalizationOrder, context)
      if (counts && !request.isTold) await recordStandaloneAudit(request, db, { said: auditDetails })
      return (
        counts ??
        sendAcceptedJob(request, reply, await queuePhoneNormalization(auditedDb, account, normalizationOrder, context))
      )
    },
  })
}

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import en from '../../../console/screens/workflows/templates/en.ts'
import fr from '../../../console/screens/workflows/templates/fr.ts'
import { WORKFLOW_TEMPLATES } from '../../../console/screens/workflows/templates/workflow-templates.ts'
import { startHarness } from '../../support/harness.ts'

const { call } = await startHarness()
const made = async (path: string, body: object) => (await call('POST', path, { body })).body.id
const chosenIds = {
  dateField: await made('/fields', { name: 'Date de naissance', type: 'date' }),
  segment: await made('/segments', { type: 'static', name: 'Leads' }),
}
const designs = new Set(
  (await call('GET', '/designs/library')).body.map((design: { id: string }) => design.id) as string[],
)

suite('workflow templates of the console', () => {
  for (const [language, texts] of Object.entries({ en, fr }))
    for (const template of WORKFLOW_TEMPLATES)
      test(`${template.id} in ${language} lacks nothing but the validation of its emails`, async () => {
        const emails = await Promise.all(
          template.emails.map(async ({ name, design }) => {
            assert.ok(designs.has(design), design)
            return made('/actions', { type: 'mailMessage', name: texts[name] })
          }),
        )
        const chosenId = template.need ? chosenIds[template.need] : null
        const body = template.build({ t: (key) => String(texts[key]), emails, chosenId })
        const {
          status,
          body: workflow,
          text,
        } = await call('POST', '/scripting/workflows', {
          body: { name: template.id, ...body },
        })
        assert.equal(status, 200, text)
        const flaws = (await call('GET', `/scripting/workflows/${workflow.id}/flaws`)).body as {
          severity: string
          type: string
          node: string
        }[]
        assert.deepEqual([...new Set(flaws.map(({ type }) => type))], ['not-sendable'], JSON.stringify(flaws))
        assert.equal(flaws.length, emails.length)
      })
})

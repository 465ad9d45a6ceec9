import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listLibraryDesigns } from '../../../src/features/designs/library/library.ts'
import type { LibraryDesign } from '../../../src/features/designs/saved-design-schemas.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call, get, action, settle } = await startStage()
const library = (await call('GET', '/designs/library')).body as LibraryDesign[]

describe('library designs in a new account', () => {
  test('pass a test, with no findings except for the data that they declare', async () => {
    assert.equal(library.length, listLibraryDesigns().length)
    for (const { id, language, name, category, description, design } of library) {
      const settings = { purpose: { type: category } }
      const made = await action({ content: { subject: design.title ?? name, design }, settings })
      const answer = await call('POST', `/actions/${made}/validation`, {
        body: { fortest: true, mediaForTest: 'proof@desk.example' },
      })
      assert.ok(answer.status < 300, answer.text)
      await settle()
      const { errors, findings } = (await get(made)).informations.lastValidation
      // What a program gives with each message is not there in a test without it.
      const [read] = /data\.\w+/.exec(description) ?? []
      const others = findings.filter(
        ({ type, message }: { type: string; message: string }) =>
          !(type === 'unknown-variable' && read && message.startsWith(`There is no ${read}`)),
      )
      assert.deepEqual([errors, others], [[], []], `${id} ${language}`)
    }
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { reauthenticationPrompt, sendWithReauthentication } from '../../console/api/reauthentication.ts'
import { ApiRefusal } from '../../console/api/refusal.ts'

const refused = () => Response.json({ type: 'urn:stentor:problem:unauthorized' }, { status: 401 })
const accepted = () => new Response('done')

/** A request whose answers a test gives one by one. */
function createRequest() {
  const answers: PromiseWithResolvers<Response>[] = []
  const request = new Request('https://stentor.example/designs', { method: 'PUT', body: 'text' })
  const sent = sendWithReauthentication(request, async () => {
    const answer = Promise.withResolvers<Response>()
    answers.push(answer)
    return answer.promise
  })
  return {
    answers,
    text: sent.then((response) => response.text()),
    async answer(response: Response): Promise<void> {
      answers.at(-1)!.resolve(response)
      for (let turn = 0; turn < 10; turn++) await nextTurn()
    },
  }
}

async function answerPrompt(goOn: boolean): Promise<void> {
  reauthenticationPrompt.get()!.answer(goOn)
  for (let turn = 0; turn < 10; turn++) await nextTurn()
}

suite('requests of the console when the session has ended', () => {
  test('wait together for one sign-in and are sent again', async () => {
    const [first, second] = [createRequest(), createRequest()]
    await first.answer(refused())
    await second.answer(refused())
    assert.equal(reauthenticationPrompt.get()?.gate, 'session')
    await answerPrompt(true)
    assert.equal(reauthenticationPrompt.get(), null)
    await first.answer(accepted())
    await second.answer(accepted())
    assert.deepEqual(await Promise.all([first.text, second.text]), ['done', 'done'])
  })

  test('do not ask for another sign-in if they were sent before the last one and refused after it', async () => {
    const [first, late] = [createRequest(), createRequest()]
    await first.answer(refused())
    await answerPrompt(true)
    await late.answer(refused())
    assert.equal(reauthenticationPrompt.get(), null)
    assert.equal(late.answers.length, 2)
    await late.answer(accepted())
    assert.equal(await late.text, 'done')
    await first.answer(accepted())
    await first.text
  })

  test('ask again if the new session has ended too, or the person gave up before', async () => {
    const [first, late] = [createRequest(), createRequest()]
    await first.answer(refused())
    await answerPrompt(true)
    await first.answer(refused())
    assert.equal(reauthenticationPrompt.get()?.gate, 'session')
    const rejected = [assert.rejects(first.text, ApiRefusal), assert.rejects(late.text, ApiRefusal)]
    await answerPrompt(false)
    await late.answer(refused())
    assert.equal(reauthenticationPrompt.get(), null)
    await late.answer(refused())
    await answerPrompt(false)
    await Promise.all(rejected)
  })

  test('fail without a prompt when the service cannot be reached', async () => {
    const failure = new TypeError('Failed to fetch')
    const request = new Request('https://stentor.example/designs')
    await assert.rejects(
      sendWithReauthentication(request, () => Promise.reject(failure)),
      failure,
    )
    assert.equal(reauthenticationPrompt.get(), null)
  })
})

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { test } from '../support/browser/launch.ts'
import { type Sight, startLooking } from '../support/browser/look.ts'
import type { Scene } from '../support/browser/scene.ts'
import { scenes as campaigns } from '../support/browser/scenes/campaigns.ts'
import { scenes as contacts } from '../support/browser/scenes/contacts.ts'
import { scenes as home } from '../support/browser/scenes/home.ts'
import { scenes as messages } from '../support/browser/scenes/messages.ts'
import { scenes as reports } from '../support/browser/scenes/reports.ts'
import { scenes as signIn } from '../support/browser/scenes/sign-in.ts'

// All scenes are looked at by test/long/browser/screens-*.test.ts, in both schemes at both widths.
const SIGHTS: Sight[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]
/** In the order in which they are looked at: the list of campaigns shows what the page of one has made. */
const WANTED = ['sign-in', 'home', 'contacts', 'campaigns-one', 'campaigns', 'messages-write', 'report']

const all: Scene[] = [...home, ...campaigns, ...messages, ...contacts, ...reports, ...signIn]
const look = await startLooking()

suite('main screens', () => {
  for (const title of WANTED)
    test(`${title} fits its width, and has no accessibility faults and no browser errors`, async () => {
      const scene = all.find(({ name }) => name === title)
      assert.ok(scene)
      assert.deepEqual(await look(scene, SIGHTS), [])
    })
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'

const WALKS = ['Adding a channel', 'Adding an operation', 'Adding an event kind', 'Following one message']
/** The folder that the first walk makes. */
const MADE = 'src/channels/postcard/'

const sections = readFileSync('CONTRIBUTING.md', 'utf8').split(/^## /m)

suite('CONTRIBUTING.md', () => {
  for (const walk of WALKS)
    test(`${walk}: each step names a file or a folder, and all of them exist`, () => {
      const section = sections.find((text) => text.startsWith(`${walk}\n`)) ?? ''
      const steps = section.split(/^\d+\. /m).slice(1)
      assert.ok(steps.length >= 6)
      for (const step of steps) {
        const paths = [...step.matchAll(/`((?:src|test|migrations|scripts|docs)\/[\w./-]+|\.[\w-]+\.cjs)`/g)].map(
          ([, path = '']) => path,
        )
        assert.ok(paths.length > 0, step)
        for (const path of paths) if (path !== MADE) assert.ok(existsSync(path), path)
      }
    })
})

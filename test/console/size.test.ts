import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstLoad, MOST_BYTES } from '../../scripts/console/size.ts'

test("the console's first load stays within its script budget", async () => {
  const files = await firstLoad()
  const total = [...files.values()].reduce((sum, bytes) => sum + bytes, 0)
  assert.ok(total <= MOST_BYTES, `${total} of ${MOST_BYTES} bytes: npm run console:size says of what`)
})

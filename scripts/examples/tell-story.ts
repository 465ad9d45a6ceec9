import {
  createAccount,
  createApiKey,
  parseAccountCode,
  setAccountRateLimit,
} from '../../src/features/accounts/accounts.ts'
import { accessRights } from '../../src/lib/account.ts'
import { addAccountDefaults } from '../../src/service/bootstrap.ts'
import { clearContacts, tellOfContacts } from './areas/contacts.ts'
import { tellOfDesigns } from './areas/designs.ts'
import { clearDisplay, tellOfDisplay } from './areas/display.ts'
import { tellOfEmails } from './areas/emails.ts'
import { readHistory } from './areas/history.ts'
import { tellOfImports } from './areas/imports.ts'
import { clearDevices, readNotificationHistory, tellOfNotifications } from './areas/notifications.ts'
import { lookBack, tellOfCampaigns } from './areas/overview.ts'
import { tellOfPeople } from './areas/people.ts'
import { tellOfPressure } from './areas/pressure.ts'
import { readRcsHistory, tellOfRcs } from './areas/rcs.ts'
import { tellOfScripts } from './areas/scripts.ts'
import { clearSegments, tellOfSegments } from './areas/segments.ts'
import { tellOfSending } from './areas/sending.ts'
import { tellOfTexts } from './areas/texts.ts'
import { tellOfWebhooks } from './areas/webhooks.ts'
import { tellOfWorkflows } from './areas/workflows.ts'
import type { ExampleService } from './service.ts'
import type { Story } from './story.ts'

const SHOP_CODE = 'TEAH001'
const SHOP_KEY = 'a key that only examples have'

/** Makes the account of the shop; gives its key. */
export async function openShop({ context: { db } }: ExampleService): Promise<string> {
  const account = await createAccount(db, parseAccountCode(SHOP_CODE)!, 'Harbour Tea', (tx, id) =>
    addAccountDefaults(tx, id, new Date()),
  )
  await setAccountRateLimit(db, account, 0, 0)
  await createApiKey(db, account, SHOP_KEY, { name: 'Web shop', rights: accessRights, expiresAt: null })
  return SHOP_KEY
}

export async function tellStory(story: Story): Promise<void> {
  const team = await tellOfPeople(story)
  const shop = await tellOfContacts(story)
  const segments = await tellOfSegments(story, shop)
  await tellOfImports(story, shop, segments)
  const designs = await tellOfDesigns(story)
  const callbacks = await tellOfSending(story, team)
  const stock = { shop, segments, designs, team }
  const emails = await tellOfEmails(story, stock)
  const texts = await tellOfTexts(story, stock, callbacks.smsCallback)
  const rcs = await tellOfRcs(story, stock)
  const notifications = await tellOfNotifications(story, stock)
  await readHistory(story, shop, { emails, texts })
  await readRcsHistory(story, rcs)
  await readNotificationHistory(story, notifications)
  await tellOfPressure(story, shop)
  await tellOfDisplay(story, shop)
  await tellOfWebhooks(story, shop)
  await tellOfScripts(story, segments)
  await tellOfWorkflows(story, stock)
  await tellOfCampaigns(story, { emails, texts, rcs })
  await lookBack(story, shop.contacts['Maya']!)
  await clearDevices(story, stock)
  await clearDisplay(story)
  await clearSegments(story, shop)
  await clearContacts(story)
}

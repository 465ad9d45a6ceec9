import type { Page } from 'playwright-core'

/** Leaves by the menu of the person, and waits for the door. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /@/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

/** Gives address and password at the door. */
export async function givePassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Waits until somebody is in. */
export async function isIn(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

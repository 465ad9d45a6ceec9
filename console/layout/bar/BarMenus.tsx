import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconKeyboard, IconLogout, IconSelector } from '@tabler/icons-react'
import { accountId, signInClient } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import { useSharedStore } from '../../api/store.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { openLayoutDialog } from '../dialogs/dialogs.ts'
import { type ColourScheme, colourSchemeStore, rowDensityStore } from '../preferences.ts'
import { layoutTexts } from '../texts.ts'
import styles from './Bar.module.css'

/** Current account, and links to the others: switching accounts reloads the page, so that no data of one account appears in another. */
export function AccountMenu() {
  const t = useTranslator(layoutTexts)
  const { accounts } = useCurrentUser()
  const currentAccount = accounts.find(({ code }) => code === accountId)
  const accountLabel = currentAccount?.name || accountId || ''
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={styles['footer']} title={`${t('account')}: ${accountLabel}`}>
          <span className={styles['code']} aria-hidden>
            {accountLabel.slice(0, 2).toUpperCase()}
          </span>
          <span className={styles['label']}>
            <span className={styles['name']}>{accountLabel}</span>
            <small>{accountId}</small>
          </span>
          <IconSelector size={16} className={styles['label']} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('accounts')}</Menu.Label>
        {accounts.map(({ code, name }) => (
          <Menu.Item
            key={code}
            component="a"
            href={`/console/${code}/`}
            rightSection={code === accountId ? <IconCheck size={16} aria-hidden /> : undefined}
          >
            {name || code}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function extractInitials(name: string): string {
  const nameParts = name.trim().split(/\s+/)
  return [nameParts[0], nameParts.length > 1 ? nameParts.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

async function signOut(): Promise<void> {
  await signInClient.signOut().catch(() => undefined)
  location.assign('/console/sign-in')
}

const COLOUR_SCHEMES: readonly (readonly [ColourScheme, 'light' | 'dark' | 'system'])[] = [
  ['light', 'light'],
  ['dark', 'dark'],
  ['auto', 'system'],
]

/** The person: how the console looks, its keys, the way out. */
export function UserMenu() {
  const t = useTranslator(layoutTexts)
  const { person } = useCurrentUser()
  const [chosenScheme, rowDensity] = [useSharedStore(colourSchemeStore), useSharedStore(rowDensityStore)]
  return (
    <Menu position="top-start" width={240} closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton className={styles['footer']} title={person.email}>
          <span className={styles['initials']} aria-hidden>
            {extractInitials(person.name)}
          </span>
          <span className={styles['label']}>
            <span className={styles['name']}>{person.name}</span>
            <small>{person.email}</small>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('appearance')}</Menu.Label>
        {COLOUR_SCHEMES.map(([value, key]) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={chosenScheme === value}
            rightSection={chosenScheme === value ? <IconCheck size={16} aria-hidden /> : undefined}
            onClick={() => colourSchemeStore.set(value)}
          >
            {t(key)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          role="menuitemcheckbox"
          aria-checked={rowDensity === 'compact'}
          rightSection={rowDensity === 'compact' ? <IconCheck size={16} aria-hidden /> : undefined}
          onClick={() => rowDensityStore.set(rowDensity === 'compact' ? 'normal' : 'compact')}
        >
          {t('compactRows')}
        </Menu.Item>
        <Menu.Item
          closeMenuOnClick
          leftSection={<IconKeyboard size={16} aria-hidden />}
          onClick={() => openLayoutDialog('keys')}
        >
          {t('help')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

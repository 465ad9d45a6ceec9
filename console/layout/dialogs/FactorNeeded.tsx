import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { base } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { Page } from '../../components/layout/Page.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from '../Frame.module.css'
import { frameTexts } from '../texts.ts'

/** Where a second factor is set up. */
export const FACTOR_PATH = '/settings'

/** The account shows nothing without a second factor: what is to be done, in place of each screen. */
export function FactorNeeded() {
  const t = useText(frameTexts)
  const { account } = useMe()
  return (
    <Page title={t('factorNeeded', { account: account?.name || account?.code || '' })}>
      <div className={styles['needed']}>
        <p>{t('factorWhy')}</p>
        <Button component={Link} to={FACTOR_PATH}>
          {t('factorSetUp')}
        </Button>
      </div>
    </Page>
  )
}

/** The same above the profile, with the way on once a factor is there. */
export function FactorLine() {
  const t = useText(frameTexts)
  return (
    <div role="status" className={styles['factor']}>
      {t('factorHere')}
      <Button size="compact-sm" variant="default" onClick={() => location.assign(`${base}/`)}>
        {t('factorGoOn')}
      </Button>
    </div>
  )
}

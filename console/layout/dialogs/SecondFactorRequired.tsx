import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { accountBasePath } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from '../ConsoleLayout.module.css'
import { layoutTexts } from '../texts.ts'

/** Path of the page to set up a second factor. */
export const SECOND_FACTOR_PATH = '/settings'

/** The account shows nothing without a second factor: what is to be done, in place of each screen. */
export function SecondFactorRequired() {
  const t = useTranslator(layoutTexts)
  const { account } = useCurrentUser()
  return (
    <ScreenPage title={t('factorNeeded', { account: account?.name || account?.code || '' })}>
      <div className={styles['needed']}>
        <p>{t('factorWhy')}</p>
        <Button component={Link} to={SECOND_FACTOR_PATH}>
          {t('factorSetUp')}
        </Button>
      </div>
    </ScreenPage>
  )
}

/** The same above the profile, with the way on once a factor is there. */
export function SecondFactorNotice() {
  const t = useTranslator(layoutTexts)
  return (
    <div role="status" className={styles['factor']}>
      {t('factorHere')}
      <Button size="compact-sm" variant="default" onClick={() => location.assign(`${accountBasePath}/`)}>
        {t('factorGoOn')}
      </Button>
    </div>
  )
}

import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { openSearch } from '../../layout/dialogs/dialogs.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import { ScreenPage } from './ScreenPage.tsx'

/** For an address that leads nowhere: what to do. */
export function NotFoundPage() {
  const t = useTranslator(componentTexts)
  const actions = (
    <Group gap={8} mt={16}>
      <Button onClick={() => openSearch()}>{t('searchEverything')}</Button>
      <Button variant="default" component={Link} to="/">
        {t('goHome')}
      </Button>
    </Group>
  )
  return (
    <ScreenPage title={t('missing')}>
      <p>{t('missingWhy')}</p>
      {actions}
    </ScreenPage>
  )
}

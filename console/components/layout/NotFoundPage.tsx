import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import { EmptyState } from './EmptyState.tsx'

/** For an address that leads nowhere. */
export function NotFoundPage() {
  const t = useTranslator(componentTexts)
  return <EmptyState title={t('missing')}>{t('missingWhy')}</EmptyState>
}

import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
import { isApiRefusal } from '../../api/refusal.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './SetUpPage.module.css'
import { setUpTexts } from './texts.ts'

/** Sample data of the account; null if there is none. */
async function readSamples() {
  try {
    return await apiClient.getSamples()
  } catch (error) {
    if (isApiRefusal(error) && error.status === 404) return null
    throw error
  }
}

/** The people to write to: a file, or sample data that can be taken away whole. */
export function ContactsStep() {
  const t = useTranslator(setUpTexts)
  const queryClient = useQueryClient()
  const { routesByPath } = useRouter()
  const samplesQuery = useQuery({ queryKey: ['samples'], queryFn: readSamples })
  const toggleSamples = useAsyncAction(async () => {
    await (samplesQuery.data ? apiClient.deleteSamples() : apiClient.createSamples())
    await queryClient.invalidateQueries()
  })
  return (
    <>
      <p>{t('contactsWhy')}</p>
      {samplesQuery.data && (
        <p className={styles['fine']}>{t('samplesThere', { count: samplesQuery.data.contacts.length })}</p>
      )}
      <div className={styles['row']}>
        {'/imports' in routesByPath && (
          <Button component={Link} to="/imports">
            {t('importFile')}
          </Button>
        )}
        {samplesQuery.data !== undefined && (
          <Button variant="default" loading={toggleSamples.isBusy} onClick={() => void toggleSamples.run()}>
            {t(samplesQuery.data ? 'samplesUndo' : 'samples')}
          </Button>
        )}
      </div>
      {(toggleSamples.error ?? samplesQuery.error) !== null && (
        <ProblemAlert error={toggleSamples.error ?? samplesQuery.error} />
      )}
    </>
  )
}

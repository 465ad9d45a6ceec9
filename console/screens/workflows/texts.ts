import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const workflowTexts = defineTextCatalogue(en, () => import('./fr.ts'))

import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const workflowFieldTexts = defineTextCatalogue(en, () => import('./fr.ts'))

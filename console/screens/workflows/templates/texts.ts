import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const workflowTemplateTexts = defineTextCatalogue(en, () => import('./fr.ts'))

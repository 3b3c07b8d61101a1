import { display } from '../display.js'
import { describeDiagnostic, type Findings, identifyFindings } from './findings.js'

/** Formats a check as a Code Quality report, which GitLab shows in merge requests: one list of findings. */
export function buildCodeQualityReport(findings: Findings) {
  return identifyFindings(findings).map(({ diagnostic, place, fingerprint }) => ({
    description: describeDiagnostic(diagnostic),
    check_name: diagnostic.code,
    fingerprint,
    severity: severities[diagnostic.severity],
    location: { path: display(place.file), lines: { begin: place.start.line } },
  }))
}

const severities = { error: 'major', warning: 'minor', note: 'info' } as const

"""What MLS is measured against: one method per file, all under the same hard budget, all with a trace."""

"""Metrics, experiments, tables and plots: how good a summary is, and how sure that is."""

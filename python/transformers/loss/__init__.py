"""Losses that models of transformers compute where they are given labels."""
